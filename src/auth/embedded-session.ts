import type { Sql } from 'postgres';
import { answeredInTime } from '../db/deadline.ts';
import { hashToken } from './api-token.ts';
import type { Role } from '../model/role.ts';
import type { Memory } from '../lib/memory.ts';
import type { Credential } from './credential-cache.ts';
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

type SessionLookup = { system: Sql; cache: Memory<Credential> };

/**
 * The principal behind a cookie, with the current role; null if the session has ended. `anew` reads the database;
 * otherwise a cached entry may be returned, with the epoch it belongs to.
 */
export async function findEmbeddedSession(
  { system, cache }: SessionLookup,
  { cookie, anew }: { cookie: string; anew: boolean },
): Promise<Identity | null> {
  const digest = hashToken(cookie);
  const key = digest.toString('latin1');
  const remembered = anew ? undefined : cache.recall(key);
  if (remembered) return { principal: remembered.principal, epoch: remembered.epoch };
  const row = await readSession(system, digest);
  if (!row) {
    cache.forget(key);
    return null;
  }
  const { orgId, sessionId, userId, email, name, role, projectIds, portalOrigin, usedInMinute, epoch } = row;
  const principal = {
    kind: 'embedded' as const,
    sessionId,
    user: { id: userId, email, name },
    membership: { orgId, role, projectIds },
    portalOrigin,
  };
  const minute = Math.floor(Date.now() / 60_000);
  if (usedInMinute < minute) await markSeen(system, userId);
  // Expires with the minute, so that the next use is recorded.
  const expiresAt = new Date(Math.min(row.expiresAt.getTime(), (minute + 1) * 60_000));
  cache.remember(key, { principal, expiresAt, usedInMinute: minute, epoch });
  return { principal, epoch: null };
}

async function readSession(system: Sql, digest: Buffer): Promise<SessionRow | undefined> {
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
  return row;
}
