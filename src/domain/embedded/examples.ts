import { type Json, one, type OperationExamples } from '../../trpc/examples.ts';
import { ids } from '../example-story.ts';
import type { EmbeddedAuthInput, EmbeddedSession } from './schemas.ts';

const frame: EmbeddedAuthInput = {
  domain: 'acme.bitrix24.com',
  memberId: 'a223c6b3710f85df22e9377d6c4f7553',
  authId: '<AUTH_ID>',
  refreshId: '<REFRESH_ID>',
};

const embeddedSession: Json<EmbeddedSession> = {
  user: { id: ids.user, name: 'Maria Lopez', role: 'agent' },
  org: { id: ids.org, name: 'Acme' },
  expiresAt: '2026-03-02T10:20:00.000Z',
};

export const examples = {
  openEmbeddedSession: {
    request: { frame: { summary: 'What the frame was opened with', value: frame } },
    responses: { 200: one('Signed in', embeddedSession) },
  },
  closeEmbeddedSession: { responses: { 204: {} } },
} satisfies Record<string, OperationExamples>;
