import { z } from 'zod';
import { examples } from '../../domain/embedded/examples.ts';
import { EmbeddedAuthInput, EmbeddedSession } from '../../domain/embedded/schemas.ts';
import type { RawOperation } from './raw-operation.ts';

const setCookie = (example: string) => ({
  'Set-Cookie': { description: 'The session. No script can read it.', schema: { type: 'string' as const }, example },
});
const attributes = 'Path=/; Secure; HttpOnly; SameSite=None; Partitioned';

export const embeddedAuth: RawOperation = {
  operationId: 'openEmbeddedSession',
  examples: examples.openEmbeddedSession,
  tags: ['Embedded'],
  summary: 'Sign in inside a CRM frame',
  description:
    'Takes what a Bitrix24 portal gives to the frame, asks Bitrix24 whether it is true, and sets a session cookie for an ' +
    'hour. Administrators of the portal become admins, others agents; who is a member already keeps their role. Later ' +
    'requests need no `Authorization`, but those that change something have to come from the service or the portal.',
  isPublic: true,
  requestBody: { required: true, content: { 'application/json': { schema: EmbeddedAuthInput } } },
  responses: {
    200: {
      description: 'Signed in.',
      headers: setCookie(`__Host-session=Zk1…; ${attributes}; Max-Age=3600`),
      content: { 'application/json': { schema: z.object({ data: EmbeddedSession }) } },
    },
  },
  errors: {
    400: 'The request is not valid.',
    401: 'The access token is invalid or has expired.',
    403: 'No organization has linked this portal.',
    502: 'Bitrix24 cannot be reached. Try again shortly.',
    503: 'The database cannot be reached. Try again shortly.',
  },
};

export const embeddedSignOut: RawOperation = {
  operationId: 'closeEmbeddedSession',
  examples: examples.closeEmbeddedSession,
  tags: ['Embedded'],
  summary: 'Sign out of a CRM frame',
  description: 'Ends the session of the cookie at once and takes the cookie back. Without a session it does nothing.',
  isPublic: true,
  responses: { 204: { description: 'Signed out.', headers: setCookie(`__Host-session=; ${attributes}; Max-Age=0`) } },
  errors: {
    403: 'This request comes from a page that may not change anything here.',
    503: 'The database cannot be reached. Try again shortly.',
  },
};
