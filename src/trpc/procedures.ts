import type { Permission } from '../auth/permissions.ts';
import { AppError } from '../lib/errors.ts';
import { assertStorable } from '../lib/storable.ts';
import { t, toTrpcError } from './init.ts';

export const router = t.router;

const withErrors = t.middleware(async ({ next }) => {
  const result = await next();
  if (!result.ok && result.error.cause instanceof AppError) throw toTrpcError(result.error.cause);
  return result;
});

/**
 * The way to build a procedure of an organization: it cannot be had without a permission. Credential, organization and role are
 * checked before the input is looked at, so a refused request learns nothing about it.
 */
export function orgProcedure(permission: Permission) {
  return t.procedure
    .meta({ permission })
    .use(withErrors)
    .use(async ({ ctx, next, getRawInput }) =>
      ctx.acting(permission, async (org) => {
        assertStorable(await getRawInput());
        const result = await next({ ctx: { org } });
        if (!result.ok) throw result.error;
        return result;
      }),
    );
}

/** For what concerns the person alone, in whatever organization: any valid credential will do. */
export function personProcedure() {
  return t.procedure
    .meta({ isPersonal: true })
    .use(withErrors)
    .use(async ({ ctx, next, getRawInput }) => {
      const principal = await ctx.authenticate();
      assertStorable(await getRawInput());
      const { directory, auth } = ctx.services;
      const selectedOrg = () => auth.select(principal, ctx.headers);
      return next({ ctx: { person: { directory, principal, selectedOrg } } });
    });
}
