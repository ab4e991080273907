import { z } from 'zod';
import { roles } from '../../model/role.ts';
import { MailAddress } from '../../lib/mailbox.ts';
import { listInput, pageOf } from '../../lib/paging.ts';
import { Timestamp } from '../../lib/timestamp.ts';

export const Org = z.object({ id: z.string(), name: z.string(), createdAt: Timestamp });
export type Org = z.infer<typeof Org>;

export const ListOrgsInput = listInput({ sorts: ['createdAt', 'name'], order: 'asc' }, {});
export type ListOrgsInput = z.infer<typeof ListOrgsInput>;
const JoinedOrg = Org.extend({ role: z.enum(roles) });
export type JoinedOrg = z.infer<typeof JoinedOrg>;
export const OrgPage = pageOf(JoinedOrg);

const name = z.string().trim().min(1).max(120);

export const UpdateOrgInput = z.strictObject({ name });
export type UpdateOrgInput = z.infer<typeof UpdateOrgInput>;

export const CreateOrgInput = z.strictObject({
  name,
  owner: MailAddress.meta({ description: 'E-mail address of the first owner; the user is made at need.' }),
});
export type CreateOrgInput = z.infer<typeof CreateOrgInput>;

export type CreatedOrg = { orgId: string; userId: string; projectId: string };
