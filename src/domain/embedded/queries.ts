import type { Sql } from 'postgres';
import type { Role } from '../../model/role.ts';
import { answeredInTime } from '../../db/deadline.ts';
import { newId } from '../../lib/ids.ts';
import type { LinkPortalInput } from './schemas.ts';

export type Portal = { orgId: string; orgName: string; domain: string };
export type LinkedPortal = { status: 'active' | 'suspended'; projectId: string | null };
export type PortalUser = { issuer: string; subject: string; email: string; name: string };
export type NewSession = {
  orgId: string;
  userId: string;
  hash: Buffer;
  portalOrigin: string;
  lifetimeMs: number;
};

/** A frame identifies itself before an organization is known, hence the system connection. */
export async function selectPortal(system: Sql, memberId: string): Promise<Portal | undefined> {
  const [row] = await answeredInTime(
    () => system<Portal[]>`
    select p.org_id as "orgId", o.name as "orgName", p.domain
      from portals p join orgs o on o.id = p.org_id where p.member_id = ${memberId}`,
  );
  return row;
}

/**
 * Undefined if another organization has linked the portal. A portal without tokens gives no access until an
 * administrator opens the app in it, and is `suspended` from the start.
 */
export async function upsertPortal(
  system: Sql,
  orgId: string,
  {
    memberId,
    domain,
    projectId = null,
  }: Omit<LinkPortalInput, 'projectId'> & { projectId?: string | null | undefined },
): Promise<LinkedPortal | undefined> {
  const [row] = await system<LinkedPortal[]>`
    insert into portals (org_id, id, member_id, domain, project_id, status, suspended_reason, suspended_at)
    select ${orgId}, ${newId('portal')}, ${memberId}, ${domain}, ${projectId}::text,
           case when has_tokens then 'active' else 'suspended' end, case when not has_tokens then 'ACCESS_MISSING' end,
           case when not has_tokens then now() end
      from (select exists (select from portal_installations
                            where member_id = ${memberId} and access_token is not null) as has_tokens) as known
    on conflict (member_id) do update
       set domain = excluded.domain, project_id = coalesce(excluded.project_id, portals.project_id),
           reconcile_from = case when portals.project_id is null then now() else portals.reconcile_from end, updated_at = now()
     where portals.org_id = excluded.org_id
    returning status, project_id as "projectId"`;
  return row;
}

/** The portal's user, created on first sign-in and named as the portal names them. */
export async function upsertPortalUser(system: Sql, { issuer, subject, email, name }: PortalUser): Promise<string> {
  return system.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended(${`${issuer} ${subject}`}, 0))`;
    const [known] = await tx<{ id: string }[]>`
      select user_id as id from identities where issuer = ${issuer} and subject = ${subject}`;
    if (known) {
      await tx`update users set name = ${name} where id = ${known.id} and name <> ${name}`;
      return known.id;
    }
    const [user] = await tx<{ id: string }[]>`
      insert into users (id, email, name) values (${newId('user')}, ${email}, ${name})
      on conflict (lower(email)) where email_verified do update set name = excluded.name returning id`;
    if (!user) throw new Error('The user was not stored.');
    await tx`insert into identities (issuer, subject, user_id) values (${issuer}, ${subject}, ${user.id})`;
    return user.id;
  });
}

/** Keeps an existing membership unchanged; returns the user's role. */
export async function ensureMembership(system: Sql, orgId: string, userId: string, role: Role): Promise<Role> {
  const [row] = await system<{ role: Role }[]>`
    insert into memberships (org_id, user_id, role) values (${orgId}, ${userId}, ${role})
    on conflict (org_id, user_id) do update set user_id = excluded.user_id returning role`;
  return row?.role ?? role;
}

/** Also deletes some expired sessions. */
export async function insertSession(system: Sql, session: NewSession): Promise<Date> {
  const { orgId, userId, hash, portalOrigin, lifetimeMs } = session;
  await system`
    delete from sessions where hash in (select hash from sessions where expires_at < now() order by expires_at limit 100)`;
  const [row] = await system<{ expiresAt: Date }[]>`
    insert into sessions (org_id, id, user_id, hash, portal_origin, expires_at)
    values (${orgId}, ${newId('session')}, ${userId}, ${hash}, ${portalOrigin},
            now() + make_interval(secs => ${lifetimeMs / 1000}))
    returning expires_at as "expiresAt"`;
  if (!row) throw new Error('The session was not stored.');
  return row.expiresAt;
}

export async function deleteSession(system: Sql, hash: Buffer): Promise<void> {
  await system`delete from sessions where hash = ${hash}`;
}
