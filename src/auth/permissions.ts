/** What a role may do. The table of the contract, section 2; everything that is not listed is refused. */
export const permissionsByRole = {
  owner: [
    'records:read',
    'records:upload',
    'records:ingest',
    'records:retry',
    'records:delete',
    'projects:read',
    'projects:create',
    'projects:update',
    'projects:delete',
    'profiles:read',
    'profiles:write',
    'analyses:read',
    'annotations:write',
    'users:list',
    'users:invite',
    'users:remove',
    'users:change-role',
    'orgs:read',
    'tokens:own',
  ],
  admin: [
    'records:read',
    'records:upload',
    'records:ingest',
    'records:retry',
    'records:delete',
    'projects:read',
    'projects:create',
    'projects:update',
    'projects:delete',
    'profiles:read',
    'profiles:write',
    'analyses:read',
    'annotations:write',
    'users:list',
    'users:invite',
    'users:remove',
    'users:change-role',
    'orgs:read',
    'tokens:own',
  ],
  supervisor: [
    'records:read',
    'records:upload',
    'records:ingest',
    'records:retry',
    'projects:read',
    'profiles:read',
    'analyses:read',
    'annotations:write',
    'users:list',
    'orgs:read',
    'tokens:own',
  ],
  reviewer: [
    'records:read',
    'projects:read',
    'profiles:read',
    'analyses:read',
    'annotations:write',
    'orgs:read',
    'tokens:own',
  ],
  agent: [
    'records:read',
    'records:upload',
    'projects:read',
    'analyses:read',
    'annotations:write',
    'orgs:read',
    'tokens:own',
  ],
} as const satisfies Record<string, readonly string[]>;

export type Role = keyof typeof permissionsByRole;
export type Permission = (typeof permissionsByRole)[Role][number];

export const roles = Object.keys(permissionsByRole) as Role[];

export function can(role: Role, permission: Permission): boolean {
  return (permissionsByRole[role] as readonly string[]).includes(permission);
}
