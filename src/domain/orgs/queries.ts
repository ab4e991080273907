import { eq } from 'drizzle-orm';
import type { Sql } from 'postgres';
import type { Role } from '../../auth/permissions.ts';
import type { OrgTx } from '../../db/scope.ts';
import { memberships, orgs } from '../../db/schema/index.ts';
import { newId } from '../../lib/ids.ts';
import type { Org } from './schemas.ts';

export async function selectOrg(tx: OrgTx): Promise<Org | undefined> {
  const [row] = await tx.select().from(orgs).where(eq(orgs.id, tx.orgId));
  return row;
}

export async function insertOrg(tx: OrgTx, name: string): Promise<void> {
  await tx.insert(orgs).values({ id: tx.orgId, name });
}

/** Leaves an existing membership as it is: a role is changed on purpose, never in passing. */
export async function insertMembership(
  tx: OrgTx,
  member: { userId: string; role: Role; projectIds: string[] | null },
): Promise<boolean> {
  const rows = await tx
    .insert(memberships)
    .values({ ...member, orgId: tx.orgId })
    .onConflictDoNothing()
    .returning({ userId: memberships.userId });
  return rows.length > 0;
}

/** Finds the user by address, or makes one. Users span organizations, hence the system connection. */
export async function ensureUser(system: Sql, email: string): Promise<string> {
  const id = newId('user');
  const name = email.split('@')[0] ?? email;
  const [row] = await system<{ id: string }[]>`
    insert into users (id, email, name) values (${id}, ${email}, ${name})
    on conflict (lower(email)) where email_verified do update set email = users.email returning id`;
  return row?.id ?? id;
}
