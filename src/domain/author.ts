import { z } from 'zod';
import type { Actor } from '../auth/principal.ts';

/** Who wrote something, under the name of that time: members go, what they wrote stays. */
export const Author = z
  .object({ id: z.string().meta({ description: 'User id (`usr_…`).' }), name: z.string() })
  .meta({ id: 'Author' });
export type Author = z.infer<typeof Author>;

export function authorOf({ principal }: Actor): Author {
  const { id, name } = principal.user;
  return { id, name };
}
