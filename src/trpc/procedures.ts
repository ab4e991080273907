import { TRPCError } from '@trpc/server';
import type { Permission } from '../auth/permissions.ts';
import { AppError } from '../lib/errors.ts';
import { takingDown } from './direct.ts';
import type { OperationExamples } from './examples.ts';
import { t, toTrpcError, type Facts } from './init.ts';
import { readableInput } from './input.ts';

export const { router, mergeRouters } = t;

/**
 * Builds a procedure of an organization; it always takes a permission. Credential, organization and role are checked
 * before the input, so a refused request learns nothing about it.
 */
export function orgProcedure(permission: Permission) {
  const procedure = t.procedure.meta({ permission }).use(({ ctx, next, getRawInput }) =>
    withStatus(() =>
      ctx.acting(permission, async (org) => {
        return succeeded(await next({ ctx: { org }, ...passing(readableInput(await getRawInput())) }));
      }),
    ),
  );
  return takingDown(procedure, { enter: (ctx, work) => ctx.acting(permission, (org) => work({ org })) });
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

type Described = Omit<Facts, 'permission' | 'isPersonal'> & {
  /** Method and path below `/api/v1`, with parameters as in `/alerts/{id}`. */
  route: `${Method} /${string}`;
  summary: string;
  description: string;
  /** The messages of its own refusals, by status. */
  errorResponses?: Record<number, string>;
};
type Operation = Described & { permission: Permission };

/**
 * For a domain's operations with an address over REST: `orgProcedure` with its place in the document. An operation
 * without examples does not compile.
 */
export function operationsOf<Shown extends string>(tag: string, examples: Record<Shown, OperationExamples>) {
  return <Id extends string>(operationId: ShownId<Id, Shown>, { permission, ...described }: Operation) =>
    orgProcedure(permission).meta(restMeta({ operationId, tag, examples: shownOf(examples, operationId) }, described));
}

/** The same for operations about the person, whatever the organization: see `personProcedure`. */
export function personOperationsOf<Shown extends string>(tag: string, examples: Record<Shown, OperationExamples>) {
  return <Id extends string>(operationId: ShownId<Id, Shown>, described: Described) =>
    personProcedure().meta(restMeta({ operationId, tag, examples: shownOf(examples, operationId) }, described));
}

/** The operation id, or what the compiler shall say of one without examples. */
type ShownId<Id extends string, Shown extends string> = Id extends Shown ? Id : `${Id} has no entry in examples.ts`;

function shownOf(examples: Record<string, OperationExamples>, operationId: string): OperationExamples {
  const shown = examples[operationId];
  if (!shown) throw new Error(`${operationId} has no entry in examples.ts.`);
  return shown;
}

type Listed = { operationId: string; tag: string; examples: OperationExamples };

function restMeta({ operationId, tag, examples }: Listed, described: Described) {
  const { route, summary, description, errorResponses, ...facts } = described;
  const [method, path] = route.split(' ') as [Method, `/${string}`];
  const said = { summary, description, ...(errorResponses && { errorResponses }) };
  return { ...facts, examples, openapi: { method, path, operationId, tags: [tag], ...said } };
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
