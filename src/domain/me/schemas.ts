import { z } from 'zod';
import { ApiToken } from '../tokens/schemas.ts';
import { UserRole } from '../users/schemas.ts';

const Membership = z.object({
  org: z.object({ id: z.string(), name: z.string() }).meta({ id: 'MembershipOrg' }),
  role: UserRole,
  projectIds: z.array(z.string()).nullable().meta({ description: 'The projects that you may see; null for all.' }),
});

export const Me = z
  .object({
    user: z.object({ id: z.string(), email: z.string(), name: z.string() }),
    memberships: z.array(Membership.meta({ id: 'Membership' })).meta({
      description: 'The organizations that the credential gives access to, with your role in each.',
    }),
    selected: Membership.extend({
      permissions: z.array(z.string()).meta({ description: 'What your role allows, such as `records:upload`.' }),
    })
      .meta({ id: 'SelectedMembership' })
      .nullable()
      .meta({ description: 'The organization that the request names; null if it names none.' }),
    confirmation: z.enum(['waiting', 'refused']).meta({ id: 'SignInConfirmation' }).nullable().meta({
      description:
        'Whether somebody has to confirm first that this sign-in is the person with its address, or has refused to. Null otherwise.',
    }),
    token: ApiToken.meta({ id: 'ApiToken' }).nullable().meta({
      description: 'The API token of the request; null for a session. The secret itself is never shown.',
    }),
  })
  .meta({ id: 'Me' });
export type Me = z.infer<typeof Me>;
