import { eq } from 'drizzle-orm';
import type { Sql } from 'postgres';
import type { Role } from '../../model/role.ts';
import { answeredInTime } from '../../db/deadline.ts';
import type { OrgTx } from '../../db/scope.ts';
import { memberships, orgs } from '../../db/schema/index.ts';
import { newId } from '../../lib/ids.ts';
import type { KnownToken, Person } from '../context.ts';
import type { Org } from './schemas.ts';

export async function selectOrg(tx: OrgTx): Promise<Org | undefined> {
  const [row] = await tx.select().from(orgs).where(eq(orgs.id, tx.orgId));
  return row;
}

/** Across organizations, hence the system connection. */
export function selectOrgs(system: Sql, ids: string[]): Promise<Org[]> {
  return answeredInTime(
    () => system<Org[]>`select id, name, created_at as "createdAt" from orgs where id = any(${ids})`,
  );
}

/** By id alone: which organization the token belongs to is not asked by a request about the person. */
export async function selectToken(system: Sql, id: string): Promise<KnownToken | null> {
  const [row] = await answeredInTime(
    () => system<KnownToken[]>`
    select id, name, start, last_four as "lastFour", expires_at as "expiresAt", last_used_at as "lastUsedAt",
           created_at as "createdAt"
      from api_tokens where id = ${id} and revoked_at is null`,
  );
  return row ?? null;
}

/** Members of all organizations, for the sign-in page of the embedded provider. */
export function selectPeople(system: Sql, userId: string | null = null): Promise<Person[]> {
  return answeredInTime(
    () => system<Person[]>`
    select u.id, u.email, u.name, m.role, o.name as org
      from memberships m join users u on u.id = m.user_id join orgs o on o.id = m.org_id
     where u.email_verified and (${userId}::text is null or u.id = ${userId})
     order by o.created_at, o.id, m.created_at, u.id limit 100`,
  );
}

export async function insertOrg(tx: OrgTx, name: string): Promise<void> {
  await tx.insert(orgs).values({ id: tx.orgId, name });
}

export async function updateOrg(tx: OrgTx, name: string): Promise<Org | undefined> {
  const [row] = await tx.update(orgs).set({ name }).where(eq(orgs.id, tx.orgId)).returning();
  return row;
}

/** Keeps an existing membership unchanged: roles are changed on purpose, never as a side effect. */
export async function insertMembership(
  tx: OrgTx,
  member: { userId: string; role: Role; projectIds: string[] | null },
): Promise<boolean> {
  const { count } = await tx
    .insert(memberships)
    .values({ ...member, orgId: tx.orgId })
    .onConflictDoNothing();
  return count > 0;
}

/** Finds the user by address, or creates one. Users span organizations, hence the system connection. */
export async function ensureUser(system: Sql, email: string, name?: string): Promise<string> {
  const id = newId('user');
  const shown = name ?? email.split('@')[0] ?? email;
  const [row] = await system<{ id: string }[]>`
    insert into users (id, email, name) values (${id}, ${email}, ${shown})
    on conflict (lower(email)) where email_verified do update set email = users.email returning id`;
  return row?.id ?? id;
}
