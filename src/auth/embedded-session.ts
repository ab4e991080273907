import type { Sql } from 'postgres';
import { answeredInTime } from '../db/deadline.ts';
import { hashToken, type CredentialLookup } from './api-token.ts';
import type { Role } from '../model/role.ts';
import { findCredential, type Credential } from './credential-cache.ts';
import type { Identity } from './principal.ts';
import { markSeen } from './session-users.ts';

const cookieName = '__Host-session';
const shape = /^[A-Za-z0-9_-]{43}$/;
/** The cookie is sent only to frames below the page that set it (CHIPS), and scripts cannot read it. */
const attributes = 'Path=/; Secure; HttpOnly; SameSite=None; Partitioned';

type SessionRow = {
  orgId: string;
  sessionId: string;
  userId: string;
  email: string;
  name: string;
  role: Role;
  projectIds: string[] | null;
  portalOrigin: string;
  expiresAt: Date;
  usedInMinute: number;
  epoch: string;
};

export function sessionCookie(value: string, maxAgeSeconds: number): string {
  return `${cookieName}=${value}; ${attributes}; Max-Age=${maxAgeSeconds}`;
}

/** Null if the header has no cookie of ours. */
export function readSessionCookie(header: string | undefined): string | null {
  for (const pair of header?.split(';') ?? []) {
    const [name, value = ''] = pair.trim().split('=', 2);
    if (name === cookieName) return shape.test(value) ? value : null;
  }
  return null;
}

/** The principal behind a cookie, with the current role; null if the session has ended. */
export async function findEmbeddedSession(
  { system, cache }: CredentialLookup,
  { cookie, anew }: { cookie: string; anew: boolean },
): Promise<Identity | null> {
  const digest = hashToken(cookie);
  const read = () => readSession(system, digest);
  return findCredential(cache, { digest, anew, read, markUsed: ({ user }) => markSeen(system, user.id) });
}

async function readSession(system: Sql, digest: Buffer): Promise<Credential | null> {
  const [row] = await answeredInTime(
    () => system<SessionRow[]>`
    select s.org_id as "orgId", s.id as "sessionId", u.id as "userId", u.email, u.name, m.role,
           m.project_ids as "projectIds", s.portal_origin as "portalOrigin", s.expires_at as "expiresAt",
           coalesce(floor(extract(epoch from u.last_seen_at) / 60), 0)::int as "usedInMinute",
           o.credential_epoch::text as epoch
      from sessions s
      join orgs o on o.id = s.org_id
      join memberships m on (m.org_id, m.user_id) = (s.org_id, s.user_id)
      join users u on u.id = s.user_id
     where s.hash = ${digest} and s.expires_at > now()`,
  );
  if (!row) return null;
  const { orgId, sessionId, userId, email, name, role, projectIds, portalOrigin, ...rest } = row;
  const user = { id: userId, email, name };
  const membership = { orgId, role, projectIds };
  return { principal: { kind: 'embedded', sessionId, user, membership, portalOrigin }, ...rest };
}
