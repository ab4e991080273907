import { can, type Permission } from '../../auth/permissions.ts';
import { roles, type Role } from '../../model/role.ts';
import type { Outputs } from '../lib/trpc.ts';

export type Member = Outputs['users']['list']['data'][number];

/** The purpose of each role in a sentence. */
export const roleWords: Record<Role, { label: string; description: string }> = {
  owner: { label: 'Owner', description: 'Everything, and the budget. Only owners make other owners.' },
  admin: { label: 'Admin', description: 'Everything but the budget: people, projects, profiles, integrations.' },
  supervisor: {
    label: 'Supervisor',
    description: 'Hears and reviews all calls of their projects, uploads and re-analyzes.',
  },
  reviewer: { label: 'Reviewer', description: 'Hears and reviews all calls of their projects; uploads none.' },
  agent: { label: 'Agent', description: 'Sees their own calls, comments on them and disputes a review.' },
};

/** The permissions in the words of the screens. A row is ticked if the role has all its permissions. */
export const abilities: { title: string; rows: { label: string; permissions: Permission[] }[] }[] = [
  {
    title: 'Calls',
    rows: [
      {
        label: 'See calls, scores and transcripts (agents: their own)',
        permissions: ['records:read', 'analyses:read', 'search'],
      },
      { label: 'Comment on a call', permissions: ['annotations:write'] },
      { label: 'Upload recordings', permissions: ['records:upload'] },
      { label: 'Take in calls from other systems', permissions: ['records:ingest'] },
      { label: 'Process again, re-analyze', permissions: ['records:retry', 'analyses:reanalyze'] },
      { label: 'Delete calls', permissions: ['records:delete'] },
    ],
  },
  {
    title: 'Quality',
    rows: [
      { label: 'Review and adjust scores', permissions: ['reviews:submit'] },
      { label: 'Dispute a review', permissions: ['reviews:dispute'] },
      { label: 'See profiles and their rubrics', permissions: ['profiles:read'] },
      { label: 'Try a profile on a call', permissions: ['profiles:preview'] },
      { label: 'Write profiles', permissions: ['profiles:write'] },
      { label: 'See alerts', permissions: ['alerts:read'] },
      { label: 'Write alert rules', permissions: ['alerts:write'] },
    ],
  },
  {
    title: 'Organization',
    rows: [
      {
        label: 'Create, change and delete projects',
        permissions: ['projects:create', 'projects:update', 'projects:delete'],
      },
      { label: 'See the team', permissions: ['users:list'] },
      { label: 'Invite, change and remove people', permissions: ['users:invite', 'users:change-role', 'users:remove'] },
      { label: 'Create their own API keys', permissions: ['tokens:own'] },
      { label: 'See webhooks and deliveries', permissions: ['webhooks:read'] },
      { label: 'Manage webhooks and integrations', permissions: ['webhooks:write', 'portals:write'] },
      { label: 'See usage and credits', permissions: ['billing:read'] },
      { label: 'Set the budget', permissions: ['billing:write'] },
    ],
  },
];

export function hasAll(role: Role, permissions: Permission[]): boolean {
  return permissions.every((permission) => can(role, permission));
}

/** Roles that somebody may assign: only owners make owners, and nobody raises their own. */
export function rolesToGive(by: Role, own?: Role): Role[] {
  const from = own === undefined ? 0 : roles.indexOf(own);
  return roles.filter((role, index) => (role !== 'owner' || by === 'owner') && index >= from);
}

/** Only owners change and remove owners. */
export function mayTouch(by: Role, member: Member): boolean {
  return member.role !== 'owner' || by === 'owner';
}

/** Owners and admins see every project. */
export function isLimitable(role: Role): boolean {
  return role !== 'owner' && role !== 'admin';
}
