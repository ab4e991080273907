import { z } from 'zod';
import { roles } from '../../model/role.ts';

const Membership = z.object({
  org: z.object({ id: z.string(), name: z.string() }),
  role: z.enum(roles),
  projectIds: z.array(z.string()).nullable(),
});

/** Who is signed in. `selected` is the organization of the request, null if it names none. */
export const Me = z.object({
  user: z.object({ id: z.string(), email: z.string(), name: z.string() }),
  memberships: z.array(Membership),
  selected: Membership.extend({ permissions: z.array(z.string()) }).nullable(),
});
export type Me = z.infer<typeof Me>;
