import { z } from 'zod';
import { roles } from '../../model/role.ts';
import { Timestamp } from '../../lib/timestamp.ts';

const given = z.string().trim().min(1).max(2048);

export const EmbeddedAuthInput = z
  .strictObject({
    domain: given.meta({ description: 'Domain of the portal.', examples: ['acme.bitrix24.com'] }),
    memberId: given.meta({ description: 'Id of the portal, which stays when its domain changes.' }),
    authId: given.meta({ description: 'Access token that the frame was opened with.' }),
    refreshId: given.meta({ description: 'Refresh token that came with it. Used when the access token has expired.' }),
  })
  .meta({ id: 'EmbeddedAuthInput' });
export type EmbeddedAuthInput = z.infer<typeof EmbeddedAuthInput>;

export const EmbeddedSession = z
  .object({
    user: z.object({ id: z.string(), name: z.string(), role: z.enum(roles) }),
    org: z.object({ id: z.string(), name: z.string() }),
    expiresAt: Timestamp,
  })
  .meta({ id: 'EmbeddedSession' });
export type EmbeddedSession = z.infer<typeof EmbeddedSession>;

export const LinkPortalInput = z.strictObject({
  domain: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^[a-z0-9.-]+(?::\d+)?$/, 'Expected a domain such as acme.bitrix24.com'),
  memberId: given,
  projectId: z.string().optional(),
});
export type LinkPortalInput = z.infer<typeof LinkPortalInput>;
