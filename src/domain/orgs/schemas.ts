import { z } from 'zod';
import { Timestamp } from '../../lib/timestamp.ts';

export const Org = z.object({ id: z.string(), name: z.string(), createdAt: Timestamp });
export type Org = z.infer<typeof Org>;

export const CreateOrgInput = z.object({
  name: z.string().trim().min(1).max(120),
  owner: z.email().meta({ description: 'E-mail address of the first owner; the user is made at need.' }),
});
export type CreateOrgInput = z.infer<typeof CreateOrgInput>;

export type CreatedOrg = { orgId: string; userId: string; projectId: string };
