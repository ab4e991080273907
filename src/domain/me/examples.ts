import { type Json, one, type OperationExamples } from '../../trpc/examples.ts';
import { ids } from '../example-story.ts';
import type { Me } from './schemas.ts';

const membership = { org: { id: ids.org, name: 'Acme' }, role: 'supervisor' as const, projectIds: null };

const me: Json<Me> = {
  user: { id: ids.user, email: 'paula@example.com', name: 'Paula Becker' },
  memberships: [membership],
  selected: { ...membership, permissions: ['records:read', 'records:upload', 'records:ingest', 'analyses:read'] },
  confirmation: null,
  token: {
    id: ids.token,
    name: 'Nightly import',
    start: 'cat_4fQx',
    lastFour: 'k2Zp',
    expiresAt: null,
    lastUsedAt: '2026-03-02T09:15:00.000Z',
    createdAt: '2026-01-12T08:30:00.000Z',
  },
};

export const examples = {
  getMe: { responses: { 200: one('A supervisor, by an API token', me) } },
} satisfies Record<string, OperationExamples>;
