import { z } from 'zod';
import { roles } from '../../model/role.ts';
import { TypedMailAddress } from '../../lib/mailbox.ts';
import { listInput, pageOf } from '../../lib/paging.ts';
import { Timestamp } from '../../lib/timestamp.ts';

export const UserRole = z.enum(roles).meta({ id: 'Role', description: 'What the user may do in the organization.' });
const UserStatus = z.enum(['active', 'invited']).meta({ id: 'UserStatus' });

const projectIds = z.array(z.string()).max(1000).nullable();

export const UserId = z.string().meta({
  description: 'User id (`usr_…`), or the id of an invite (`inv_…`) that has not been accepted.',
});
export const UserParams = z.strictObject({ id: UserId });

export const User = z
  .object({
    id: UserId,
    email: z.string(),
    name: z.string().nullable().meta({ description: 'Null for somebody who has not signed in yet.' }),
    role: UserRole,
    projectIds: projectIds.meta({ description: 'The projects that the user is limited to; null means all of them.' }),
    status: UserStatus,
    createdAt: Timestamp.meta({ description: 'When the user joined, or was invited.' }),
    lastSeenAt: Timestamp.nullable().meta({ description: 'When the user last signed in or used a session.' }),
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof User>;

export const ListUsersInput = listInput(
  { sorts: ['createdAt', 'name', 'email', 'lastSeenAt'], order: 'asc', dated: 'Joined or invited' },
  { status: UserStatus.optional().meta({ description: 'Only members (`active`), or only open invites (`invited`).' }) },
);
export type ListUsersInput = z.infer<typeof ListUsersInput>;
export const UserPage = pageOf(User).meta({ id: 'UserPage' });

export const InviteUserInput = z.strictObject({
  email: TypedMailAddress.meta({
    description: 'Signing in with this address, once it is verified, accepts the invite.',
  }),
  role: UserRole,
  projectIds: projectIds.default(null).meta({
    description:
      'Limits a supervisor, reviewer or agent to these projects; owners and admins cannot be limited. Null means all of them.',
  }),
});
export type InviteUserInput = z.infer<typeof InviteUserInput>;

/** Relative to the address of the service. */
export const InviteLink = z.object({ path: z.string() });

export const UpdateUserInput = UserParams.extend({
  role: UserRole.optional(),
  projectIds: projectIds.optional().meta({
    description: 'Replaces the limit; null lifts it. Becoming owner or admin lifts it as well.',
  }),
});
export type UpdateUserInput = z.infer<typeof UpdateUserInput>;
