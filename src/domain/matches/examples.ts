import { type Json, type OperationExamples, page } from '../../trpc/examples.ts';
import { ids } from '../example-story.ts';
import type { IdentityMatch } from './schemas.ts';

const match: Json<IdentityMatch> = {
  id: ids.match,
  issuer: 'https://login.example.com/',
  email: 'maria@example.com',
  name: 'Maria Lopez',
  user: { id: ids.user, email: 'maria@example.com', name: 'Maria Lopez', role: 'reviewer' },
  canDecide: true,
  createdAt: '2026-03-02T09:08:12.000Z',
};

export const examples = {
  listIdentityMatches: { responses: { 200: page('One sign-in that waits', match) } },
  confirmIdentityMatch: { responses: { 204: { description: 'Confirmed. There is no body.' } } },
  refuseIdentityMatch: { responses: { 204: { description: 'Refused. There is no body.' } } },
} satisfies Record<string, OperationExamples>;
