import { TRPCError } from '@trpc/server';
import type { Permission } from '../auth/permissions.ts';
import { AppError } from '../lib/errors.ts';
import { t, toTrpcError } from './init.ts';
import { readableInput } from './input.ts';

export const { router, mergeRouters } = t;

/**
 * Builds a procedure of an organization; it always takes a permission. Credential, organization and role are checked
 * before the input, so a refused request learns nothing about it.
 */
export function orgProcedure(permission: Permission) {
  return t.procedure.meta({ permission }).use(({ ctx, next, getRawInput }) =>
    withStatus(() =>
      ctx.acting(permission, async (org) => {
        return succeeded(await next({ ctx: { org }, ...passing(readableInput(await getRawInput())) }));
      }),
    ),
  );
}

/** Builds a procedure about the person, whatever the organization: any valid credential will do. */
export function personProcedure() {
  return t.procedure.meta({ isPersonal: true }).use(({ ctx, next, getRawInput }) =>
    withStatus(async () => {
      const principal = await ctx.authenticate();
      const input = passing(readableInput(await getRawInput()));
      const { directory, auth } = ctx.services;
      const selectedOrg = () => auth.select(principal, ctx.headers);
      return succeeded(await next({ ctx: { person: { directory, principal, selectedOrg } }, ...input }));
    }),
  );
}

/** The input for the schema to parse. tRPC accepts it beside a context, though its types allow only one of them. */
function passing(input: unknown): { getRawInput: () => Promise<unknown> } {
  return { getRawInput: async () => input };
}

/** tRPC returns errors as a result; callers that repeat or refuse work need them thrown. */
function succeeded<T extends { ok: boolean }>(result: T): T {
  if (!result.ok && 'error' in result) throw result.error;
  return result;
}

/** Gives our errors the same status over RPC as over REST. One middleware, since tRPC copies the context for each. */
async function withStatus<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const cause = error instanceof TRPCError ? error.cause : error;
    throw cause instanceof AppError ? toTrpcError(cause) : error;
  }
}
