import { roles, type Role } from '../model/role.ts';

const admins: readonly Role[] = ['owner', 'admin'];
const supervisors: readonly Role[] = [...admins, 'supervisor'];
const reviewers: readonly Role[] = [...supervisors, 'reviewer'];

/** Which roles may do what. Everything not listed is refused. */
const rolesByPermission = {
  'records:read': roles,
  'records:upload': [...supervisors, 'agent'],
  'records:ingest': supervisors,
  'records:update': supervisors,
  'records:retry': supervisors,
  'records:delete': admins,
  'projects:read': roles,
  'projects:create': admins,
  'projects:update': admins,
  'projects:delete': admins,
  'profiles:read': reviewers,
  'profiles:write': admins,
  'profiles:preview': supervisors,
  'alerts:read': reviewers,
  'alerts:write': admins,
  'webhooks:read': reviewers,
  'webhooks:write': admins,
  'portals:read': admins,
  'portals:write': admins,
  'analyses:read': roles,
  search: roles,
  'analyses:reanalyze': supervisors,
  'annotations:write': roles,
  'users:list': supervisors,
  'users:invite': admins,
  'users:remove': admins,
  'users:change-role': admins,
  'users:confirm': ['owner'],
  'reviews:submit': reviewers,
  'reviews:dispute': roles,
  'billing:read': admins,
  'billing:write': ['owner'],
  'orgs:read': roles,
  'orgs:update': admins,
  'orgs:secure': ['owner'],
  'tokens:own': roles,
} satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof rolesByPermission;

export const permissions: readonly Permission[] = Object.keys(rolesByPermission) as Permission[];

export function can(role: Role, permission: Permission): boolean {
  return (rolesByPermission[permission] as readonly Role[]).includes(role);
}
