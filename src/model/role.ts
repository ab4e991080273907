/** Roles of a member of an organization, the most powerful first. What each may do: `auth/permissions.ts`. */
export const roles = ['owner', 'admin', 'supervisor', 'reviewer', 'agent'] as const;
export type Role = (typeof roles)[number];
