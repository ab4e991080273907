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
 * The only way to build a procedure: it cannot be had without a permission. Credential, organization and role are
 * checked before the input is looked at, so a refused request learns nothing about it.
 */
export function orgProcedure(permission: Permission) {
  return t.procedure
    .meta({ permission })
    .use(withErrors)
    .use(async ({ ctx, next, getRawInput }) => {
      const actor = await ctx.authorize(permission);
      assertStorable(await getRawInput());
      return next({ ctx: { org: { db: ctx.services.db, actor } } });
    });
}
