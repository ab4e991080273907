import { type Json, nothing, one, type OperationExamples, page } from '../../trpc/examples.ts';
import { ids } from '../example-story.ts';
import type { User } from './schemas.ts';

const user: Json<User> = {
  id: ids.user,
  email: 'maria@example.com',
  name: 'Maria Lopez',
  role: 'reviewer',
  projectIds: null,
  status: 'active',
  createdAt: '2026-03-02T09:08:12.000Z',
  lastSeenAt: '2026-03-02T09:20:00.000Z',
};

const invitedUser: Json<User> = {
  ...user,
  id: ids.invite,
  email: 'lena@example.com',
  name: null,
  role: 'supervisor',
  projectIds: [ids.project],
  status: 'invited',
  lastSeenAt: null,
};

export const examples = {
  listUsers: { responses: { 200: page('One member', user) } },
  inviteUser: {
    request: {
      supervisor: {
        summary: 'A supervisor for one project',
        value: { email: 'lena@example.com', role: 'supervisor', projectIds: [ids.project] },
      },
      admin: { summary: 'An admin', value: { email: 'omar@example.com', role: 'admin' } },
    },
    responses: { 201: { description: 'Invited.', ...one('The open invite', invitedUser) } },
  },
  getUser: { responses: { 200: one('A member', user) } },
  updateUser: {
    request: { reviewer: { summary: 'Another role', value: { role: 'reviewer' } } },
    responses: { 200: { description: 'The user as it is now.', ...one('The changed user', user) } },
  },
  removeUser: { responses: { 204: nothing } },
} satisfies Record<string, OperationExamples>;
