import type { Permission } from '../auth/permissions.ts';
import { AppError } from '../lib/errors.ts';
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

const nestingMax = 64;

/**
 * One rule for every text and body: Postgres cannot store NUL, and nesting without end breaks whoever recurses into it.
 * Walks without recursion, since it meets the input before anything has vouched for its depth.
 */
function assertStorable(input: unknown): void {
  const rest: { value: unknown; depth: number }[] = [{ value: input, depth: 0 }];
  for (let item = rest.pop(); item; item = rest.pop()) {
    const { value, depth } = item;
    if (typeof value === 'string' && value.includes('\0')) {
      throw new AppError('VALIDATION_ERROR', 'Text must not contain the NUL character.');
    }
    if (value === null || typeof value !== 'object') continue;
    if (depth >= nestingMax)
      throw new AppError('VALIDATION_ERROR', `The body is nested deeper than ${nestingMax} levels.`);
    for (const [key, nested] of Object.entries(value)) {
      rest.push({ value: key, depth }, { value: nested, depth: depth + 1 });
    }
  }
}
