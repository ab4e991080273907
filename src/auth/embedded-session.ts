import type { Sql } from 'postgres';
import { answeredInTime } from '../db/deadline.ts';
import { hashToken } from './api-token.ts';
import type { Role } from './permissions.ts';
import type { EmbeddedPrincipal } from './principal.ts';
import { markSeen } from './session-users.ts';

const cookieName = '__Host-session';
const shape = /^[A-Za-z0-9_-]{43}$/;
/** The cookie only reaches frames below the page that it was set under (CHIPS), and no script. */
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
  isSeenDue: boolean;
};

export function sessionCookie(value: string, maxAgeSeconds: number): string {
  return `${cookieName}=${value}; ${attributes}; Max-Age=${maxAgeSeconds}`;
}

/** Null where there is none that could be ours. */
export function readSessionCookie(header: string | undefined): string | null {
  for (const pair of header?.split(';') ?? []) {
    const [name, value = ''] = pair.trim().split('=', 2);
    if (name === cookieName) return shape.test(value) ? value : null;
  }
  return null;
}

/** The principal behind a cookie, with the present role; null for a session that has ended. */
export async function findEmbeddedPrincipal(system: Sql, cookie: string): Promise<EmbeddedPrincipal | null> {
  const [row] = await answeredInTime(
    () => system<SessionRow[]>`
    select s.org_id as "orgId", s.id as "sessionId", u.id as "userId", u.email, u.name, m.role,
           m.project_ids as "projectIds", s.portal_origin as "portalOrigin",
           (u.last_seen_at is null or u.last_seen_at < date_trunc('minute', now())) as "isSeenDue"
      from sessions s
      join memberships m on (m.org_id, m.user_id) = (s.org_id, s.user_id)
      join users u on u.id = s.user_id
     where s.hash = ${hashToken(cookie)} and s.expires_at > now()`,
  );
  if (!row) return null;
  const { orgId, sessionId, userId, email, name, role, projectIds, portalOrigin, isSeenDue } = row;
  if (isSeenDue) await markSeen(system, userId);
  return {
    kind: 'embedded',
    sessionId,
    user: { id: userId, email, name },
    membership: { orgId, role, projectIds },
    portalOrigin,
  };
}
