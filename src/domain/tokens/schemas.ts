import { z } from 'zod';
import { listInput, pageOf } from '../../lib/paging.ts';
import { latestInstant, Timestamp } from '../../lib/timestamp.ts';

export const TokenId = z.string().meta({ description: 'Token id (`tok_…`), not the token itself.' });
export const TokenParams = z.strictObject({ id: TokenId });

export const ApiToken = z.object({
  id: TokenId,
  name: z.string(),
  start: z.string().meta({ description: 'The first characters, to recognise it by.' }),
  lastFour: z.string(),
  expiresAt: Timestamp.nullable(),
  lastUsedAt: Timestamp.nullable().meta({ description: 'To the minute.' }),
  createdAt: Timestamp,
});
export type ApiToken = z.infer<typeof ApiToken>;

export const ListTokensInput = listInput(
  { sorts: ['createdAt', 'name', 'expiresAt', 'lastUsedAt'], order: 'desc' },
  {},
);
export type ListTokensInput = z.infer<typeof ListTokensInput>;
export const TokenPage = pageOf(ApiToken);

export const CreateTokenInput = z.strictObject({
  name: z.string().trim().min(1).max(120),
  expiresAt: z
    .date()
    .refine((date) => date > new Date() && date <= latestInstant, 'Expected a time to come')
    .nullable()
    .default(null),
});
export type CreateTokenInput = z.infer<typeof CreateTokenInput>;

/** The only answer that ever contains the token. */
export const CreatedToken = ApiToken.extend({ token: z.string() });
export type CreatedToken = z.infer<typeof CreatedToken>;
