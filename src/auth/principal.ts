import type { Role } from '../model/role.ts';

export type Membership = { orgId: string; role: Role; projectIds: string[] | null };
export type UserIdentity = { id: string; email: string; name: string };

export type ApiTokenPrincipal = { kind: 'api-token'; tokenId: string; user: UserIdentity; membership: Membership };

/** Of a sign-in with the address of somebody who has been here; null if there is nothing to confirm. */
export type Confirmation = 'waiting' | 'refused' | null;

/** A person signed in with the identity provider, in all their organizations. */
export type SessionPrincipal = {
  kind: 'session';
  user: UserIdentity;
  memberships: Membership[];
  confirmation?: Confirmation;
};

/** A person who opened the app inside their CRM. */
export type EmbeddedPrincipal = {
  kind: 'embedded';
  sessionId: string;
  user: UserIdentity;
  membership: Membership;
  portalOrigin: string;
};

/** Who sent the request, before an organization is chosen. Every kind of credential is one member of this union. */
export type Principal = ApiTokenPrincipal | SessionPrincipal | EmbeddedPrincipal;

/** A principal, and where it comes from: read for this request, or cached as of an epoch that must be confirmed. */
export type Identity = { principal: Principal; epoch: string | null };

/** A user in an organization, with their role there. */
export type Member = {
  orgId: string;
  userId: string;
  role: Role;
  /** Null means all projects. */
  projectIds: string[] | null;
};

/** Who acts, in which organization, with which role: the first argument of every service function. */
export type Actor = Member & { principal: Principal };

/** Which records an actor may see, for the `where` of every query on records and their parts. */
export type Visibility = { projectIds: string[] | null; ownUserId: string | null };

export function visibilityOf({ role, projectIds, userId }: Member): Visibility {
  switch (role) {
    case 'owner':
    case 'admin':
      return { projectIds: null, ownUserId: null };
    case 'supervisor':
    case 'reviewer':
      return { projectIds, ownUserId: null };
    case 'agent':
      return { projectIds, ownUserId: userId };
    default:
      return role satisfies never;
  }
}

/** Whether a member may hear what the project redacts. */
export function hearsEverything({ role }: Member): boolean {
  return role === 'owner' || role === 'admin';
}

export function mayUseProject(actor: Actor, projectId: string): boolean {
  const { projectIds } = visibilityOf(actor);
  return projectIds === null || projectIds.includes(projectId);
}

/** The organizations that the credential gives access to. */
export function membershipsOf(principal: Principal): Membership[] {
  switch (principal.kind) {
    case 'api-token':
    case 'embedded':
      return [principal.membership];
    case 'session':
      return principal.memberships;
    default:
      return principal satisfies never;
  }
}
