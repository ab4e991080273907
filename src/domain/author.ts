import { z } from 'zod';
import type { Actor } from '../auth/principal.ts';

/** An author with the name at the time of writing, which outlives their membership. */
export const Author = z
  .object({ id: z.string().meta({ description: 'User id (`usr_…`).' }), name: z.string() })
  .meta({ id: 'Author' });
export type Author = z.infer<typeof Author>;

export function authorOf({ principal }: Actor): Author {
  const { id, name } = principal.user;
  return { id, name };
}
