import * as z from 'zod/mini';

/** A search parameter: invalid values are dropped, since people type addresses. */
export const pick = <T extends z.ZodMiniType>(schema: T) => z.catch(z.optional(schema), undefined);

/** Whole numbers from `least` on. */
export const count = (least: number) => z.int().check(z.minimum(least));

export const page = pick(count(1));
