import { z } from 'zod';
import { listInput, pageOf } from '../../lib/paging.ts';
import { Timestamp } from '../../lib/timestamp.ts';
import { UserRole } from '../users/schemas.ts';

const MatchId = z.string().meta({ description: 'Id of the match (`mch_…`).' });
export const MatchParams = z.strictObject({ id: MatchId });
export type MatchParams = z.infer<typeof MatchParams>;

export const IdentityMatch = z
  .object({
    id: MatchId,
    issuer: z.string().meta({ description: 'The identity provider.' }),
    email: z.string().meta({ description: 'The address, as the provider has verified it.' }),
    name: z.string().nullable().meta({ description: 'The name that the provider tells.' }),
    user: z
      .object({ id: z.string(), email: z.string(), name: z.string(), role: UserRole })
      .meta({ id: 'MatchedUser', description: 'The member who has this address here.' }),
    canDecide: z.boolean().meta({
      description: 'Whether you own all organizations of the member. Otherwise the operator decides.',
    }),
    createdAt: Timestamp.meta({ description: 'When somebody first signed in so.' }),
  })
  .meta({ id: 'IdentityMatch' });
export type IdentityMatch = z.infer<typeof IdentityMatch>;

export const ListMatchesInput = listInput({ sorts: ['createdAt', 'email'], order: 'asc' }, {});
export type ListMatchesInput = z.infer<typeof ListMatchesInput>;
export const IdentityMatchPage = pageOf(IdentityMatch).meta({ id: 'IdentityMatchPage' });
