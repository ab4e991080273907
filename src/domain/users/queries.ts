import { and, asc, eq, gt, inArray, lte, or, sql, type SQL } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import type { Role } from '../../model/role.ts';
import { inPeriod, paged, withoutCase } from '../../db/listing.ts';
import type { OrgTx } from '../../db/scope.ts';
import { invites, memberships, projects, users } from '../../db/schema/index.ts';
import type { ListRequest } from '../../lib/paging.ts';
import type { GivenPeriod } from '../../lib/timestamp.ts';
import type { User } from './schemas.ts';

export type Access = { role: Role; projectIds: string[] | null };
export type NewInvite = Access & { id: string; email: string; invitedBy: string; expiresAt: Date };

type Status = User['status'];

export type UserFilter = GivenPeriod & { status?: Status | undefined };
type UserPage = ListRequest<'createdAt' | 'name' | 'email' | 'lastSeenAt'>;

/** Members and open invites in one list. */
export function selectUsers(tx: OrgTx, { status, ...period }: UserFilter, page: UserPage): Promise<User[]> {
  const members = selectMembers(tx, inPeriod(memberships.createdAt, period));
  const invited = selectInvites(tx, inPeriod(invites.createdAt, period));
  // A list of invites alone has different column names than one that starts with members.
  const people = (status === 'invited' ? invited : status === 'active' ? members : unionAll(members, invited)).as(
    'people',
  );
  const sortColumns = {
    createdAt: sql`${people.createdAt}`,
    name: withoutCase(sql`${people.name}`),
    email: withoutCase(sql`${people.email}`),
    lastSeenAt: sql`${people.lastSeenAt}`,
  };
  const kind = page.sort === 'name' || page.sort === 'email' ? 'caseless' : 'instant';
  const sorting = { by: sortColumns[page.sort], id: sql`${people.id}`, kind } as const;
  return paged(tx.select().from(people).$dynamic(), { where: undefined, page, sorting });
}

export async function countUsers(tx: OrgTx, { status, ...period }: UserFilter): Promise<number> {
  const joined = and(ownMemberships(tx), inPeriod(memberships.createdAt, period));
  const open = and(openInvites(tx), inPeriod(invites.createdAt, period));
  const [members, invited] = await Promise.all([
    status === 'invited' ? 0 : tx.$count(memberships, joined),
    status === 'active' ? 0 : tx.$count(invites, open),
  ]);
  return members + invited;
}

export async function selectUser(tx: OrgTx, id: string): Promise<User | undefined> {
  const [row] = await unionAll(selectMembers(tx, eq(memberships.userId, id)), selectInvites(tx, eq(invites.id, id)));
  return row;
}

export type LockedMember = Access & { userId: string };

/**
 * Locks those of the given members that exist, and all owners, until the transaction ends. They are read after the
 * lock, so decisions that depend on their roles are made one at a time.
 */
export function lockMembers(tx: OrgTx, userIds: string[]): Promise<LockedMember[]> {
  return tx
    .select({ userId: memberships.userId, role: memberships.role, projectIds: memberships.projectIds })
    .from(memberships)
    .where(and(ownMemberships(tx), or(eq(memberships.role, 'owner'), inArray(memberships.userId, userIds))))
    .orderBy(asc(memberships.userId))
    .for('update');
}

export async function lockInvite(tx: OrgTx, id: string): Promise<Access | undefined> {
  const [row] = await tx
    .select({ role: invites.role, projectIds: invites.projectIds })
    .from(invites)
    .where(and(openInvites(tx), eq(invites.id, id)))
    .for('update');
  return row;
}

export async function updateMembership(tx: OrgTx, userId: string, access: Access): Promise<void> {
  await tx
    .update(memberships)
    .set(access)
    .where(and(ownMemberships(tx), eq(memberships.userId, userId)));
}

export async function updateInvite(tx: OrgTx, id: string, access: Access): Promise<void> {
  await tx
    .update(invites)
    .set(access)
    .where(and(openInvites(tx), eq(invites.id, id)));
}

/** Deletes the membership with its API tokens and sessions. */
export async function deleteMembership(tx: OrgTx, userId: string): Promise<void> {
  await tx.delete(memberships).where(and(ownMemberships(tx), eq(memberships.userId, userId)));
}

export async function deleteInvite(tx: OrgTx, id: string): Promise<void> {
  await tx.delete(invites).where(and(openInvites(tx), eq(invites.id, id)));
}

export async function extendInvite(tx: OrgTx, id: string, expiresAt: Date): Promise<void> {
  await tx
    .update(invites)
    .set({ expiresAt })
    .where(and(openInvites(tx), eq(invites.id, id)));
}

/** False if an invite for the address is open; an expired one is replaced. */
export async function insertInvite(tx: OrgTx, invite: NewInvite): Promise<boolean> {
  const sameAddress = eq(sql`lower(${invites.email})`, invite.email.toLowerCase());
  await tx.delete(invites).where(and(eq(invites.orgId, tx.orgId), sameAddress, lte(invites.expiresAt, sql`now()`)));
  const { count } = await tx
    .insert(invites)
    .values({ ...invite, orgId: tx.orgId })
    .onConflictDoNothing();
  return count > 0;
}

export async function isMemberAddress(tx: OrgTx, email: string): Promise<boolean> {
  const rows = await tx
    .select({ userId: memberships.userId })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(ownMemberships(tx), eq(sql`lower(${users.email})`, email.toLowerCase()), users.emailVerified));
  return rows.length > 0;
}

/** How many of the projects exist. */
export function countProjectsOf(tx: OrgTx, projectIds: string[]): Promise<number> {
  return tx.$count(projects, and(eq(projects.orgId, tx.orgId), inArray(projects.id, projectIds)));
}

function selectMembers(tx: OrgTx, condition?: SQL) {
  return tx
    .select({
      createdAt: memberships.createdAt,
      id: memberships.userId,
      email: users.email,
      name: sql<string | null>`${users.name}`.as('name'),
      role: memberships.role,
      projectIds: memberships.projectIds,
      status: sql<Status>`'active'`.as('status'),
      lastSeenAt: users.lastSeenAt,
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(ownMemberships(tx), condition))
    .$dynamic();
}

function selectInvites(tx: OrgTx, condition?: SQL) {
  return tx
    .select({
      createdAt: invites.createdAt,
      id: invites.id,
      email: invites.email,
      name: sql<string | null>`null::text`.as('name'),
      role: invites.role,
      projectIds: invites.projectIds,
      status: sql<Status>`'invited'`.as('status'),
      lastSeenAt: sql<Date | null>`null::timestamptz`.as('last_seen_at'),
    })
    .from(invites)
    .where(and(openInvites(tx), condition))
    .$dynamic();
}

function ownMemberships(tx: OrgTx): SQL {
  return eq(memberships.orgId, tx.orgId);
}

function openInvites(tx: OrgTx): SQL | undefined {
  return and(eq(invites.orgId, tx.orgId), gt(invites.expiresAt, sql`now()`));
}
