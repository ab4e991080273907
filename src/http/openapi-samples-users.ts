import type { EmbeddedAuthInput, EmbeddedSession } from '../domain/embedded/schemas.ts';
import type { User } from '../domain/users/schemas.ts';
import { ids, type Json } from './openapi-samples.ts';

export const user: Json<User> = {
  id: ids.user,
  email: 'maria@example.com',
  name: 'Maria Lopez',
  role: 'reviewer',
  projectIds: null,
  status: 'active',
  createdAt: '2026-03-02T09:08:12.000Z',
  lastSeenAt: '2026-03-02T09:20:00.000Z',
};

export const invitedUser: Json<User> = {
  ...user,
  id: ids.invite,
  email: 'lena@example.com',
  name: null,
  role: 'supervisor',
  projectIds: [ids.project],
  status: 'invited',
  lastSeenAt: null,
};

export const frame: EmbeddedAuthInput = {
  domain: 'acme.bitrix24.com',
  memberId: 'a223c6b3710f85df22e9377d6c4f7553',
  authId: '<AUTH_ID>',
  refreshId: '<REFRESH_ID>',
};

export const embeddedSession: Json<EmbeddedSession> = {
  user: { id: ids.user, name: 'Maria Lopez', role: 'agent' },
  org: { id: ids.org, name: 'Acme' },
  expiresAt: '2026-03-02T10:20:00.000Z',
};
