import type { Role } from '../../model/role.ts';
import type { OrgTx } from '../../db/scope.ts';
import { hasChanges } from '../../lib/changes.ts';
import { AppError, notFound, unprocessable } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { toPage, type Page } from '../../lib/paging.ts';
import type { InvitingContext, OrgContext } from '../context.ts';
import { emitEvents, newEvent } from '../events/service.ts';
import * as queries from './queries.ts';
import { assertMayChangeRole, assertMayGive, assertMayTouch, assertStill, isLimitable } from './rules.ts';
import type { InviteUserInput, ListUsersInput, UpdateUserInput, User } from './schemas.ts';

const inviteLifetimeMs = 7 * 86_400_000;

/** Members and open invites, oldest first by default. */
export async function listUsers({ db, actor }: OrgContext, input: ListUsersInput): Promise<Page<User>> {
  const { status, from, to } = input;
  const filter = { status, from, to };
  const [rows, total] = await db.readOrg(actor.orgId, (tx) =>
    Promise.all([queries.selectUsers(tx, filter, input), queries.countUsers(tx, filter)]),
  );
  return toPage(rows, total, input);
}

export async function getUser({ db, actor }: OrgContext, { id }: { id: string }): Promise<User> {
  return db.findInOrg(actor.orgId, (tx) => findUser(tx, id));
}

/** Throws CONFLICT for a member or an address with an open invite, FORBIDDEN if the actor may not assign the role. */
export async function inviteUser({ db, actor }: OrgContext, input: InviteUserInput): Promise<User> {
  const { email, role, projectIds } = input;
  assertMayGive(actor.role, role);
  const id = newId('invite');
  return db.withOrg(actor.orgId, async (tx) => {
    await checkProjects(tx, role, projectIds);
    if (await queries.isMemberAddress(tx, email)) {
      throw new AppError('CONFLICT', 'This address belongs to a member already.');
    }
    const expiresAt = new Date(Date.now() + inviteLifetimeMs);
    const invite = { id, email, role, projectIds, invitedBy: actor.userId, expiresAt };
    if (!(await queries.insertInvite(tx, invite))) {
      throw new AppError('CONFLICT', 'This address has been invited already.');
    }
    await emitEvents(tx, [newEvent('invite.mail.requested', { inviteId: id })]);
    return findUser(tx, id);
  });
}

/**
 * Sends the mail of an open invite again, at most once a minute, and extends it by 7 days. Throws NOT_FOUND, or
 * FORBIDDEN if the actor may not assign the role.
 */
export async function resendInvite({ db, actor }: OrgContext, { id }: { id: string }): Promise<User> {
  return db.withOrg(actor.orgId, async (tx) => {
    const invite = await queries.lockInvite(tx, id);
    if (!invite) throw notFound('Invite');
    assertMayGive(actor.role, invite.role);
    await queries.extendInvite(tx, id, new Date(Date.now() + inviteLifetimeMs));
    const minute = new Date().toISOString().slice(0, 16);
    await emitEvents(tx, [newEvent('invite.mail.requested', { inviteId: id }, `${id}:${minute}`)]);
    return findUser(tx, id);
  });
}

/**
 * A link that accepts an open invite, for whoever passes it on. Throws NOT_FOUND, FORBIDDEN, or CONFLICT where people sign
 * in with an identity provider.
 */
export async function createInviteLink(
  { db, actor, inviteLinks }: InvitingContext,
  { id }: { id: string },
): Promise<{ path: string }> {
  await db.withOrg(actor.orgId, async (tx) => {
    const invite = await queries.lockInvite(tx, id);
    if (!invite) throw notFound('Invite');
    assertMayGive(actor.role, invite.role);
  });
  if (!inviteLinks) throw new AppError('CONFLICT', 'People sign in with your identity provider, which needs no link.');
  return { path: `/account/links/${await inviteLinks.make(id)}` };
}

/**
 * Takes effect on the user's next request. Throws NOT_FOUND, FORBIDDEN, CONFLICT (last owner) or UNPROCESSABLE
 * (projects).
 */
export async function updateUser({ db, actor }: OrgContext, input: UpdateUserInput): Promise<User> {
  const { id, role, projectIds } = input;
  return db.withOrg(actor.orgId, async (tx) => {
    const { by, target, owners } = await lockBoth(tx, actor.userId, id);
    assertStill(by, 'users:change-role');
    const invite = target ? undefined : await queries.lockInvite(tx, id);
    const before = target ?? invite;
    if (!before) throw notFound('User');
    const after = await changedAccess(tx, before, input);
    assertMayChangeRole({ by, isSelf: id === actor.userId, from: before.role, to: after.role });
    if (target && after.role !== 'owner') assertNotLastOwner(target.role, owners);
    if (!hasChanges({ role, projectIds })) return findUser(tx, id);
    if (target) await queries.updateMembership(tx, id, after);
    else await queries.updateInvite(tx, id, after);
    return findUser(tx, id);
  });
}

/** A member loses all tokens and sessions of the organization at once; an invite is withdrawn. */
export async function removeUser({ db, actor }: OrgContext, { id }: { id: string }): Promise<void> {
  await db.withOrg(actor.orgId, async (tx) => {
    const { by, target, owners } = await lockBoth(tx, actor.userId, id);
    assertStill(by, 'users:remove');
    const invite = target ? undefined : await queries.lockInvite(tx, id);
    const before = target ?? invite;
    if (!before) throw notFound('User');
    assertMayTouch(by, before.role);
    if (target) {
      assertNotLastOwner(target.role, owners);
      await queries.deleteMembership(tx, id);
    } else await queries.deleteInvite(tx, id);
  });
}

async function findUser(tx: OrgTx, id: string): Promise<User> {
  const row = await queries.selectUser(tx, id);
  if (!row) throw notFound('User');
  return row;
}

type Both = { by: Role | undefined; target: queries.LockedMember | undefined; owners: number };

async function lockBoth(tx: OrgTx, actorId: string, targetId: string): Promise<Both> {
  const members = await queries.lockMembers(tx, [actorId, targetId]);
  return {
    by: members.find(({ userId }) => userId === actorId)?.role,
    target: members.find(({ userId }) => userId === targetId),
    owners: members.filter(({ role }) => role === 'owner').length,
  };
}

async function changedAccess(tx: OrgTx, before: queries.Access, input: UpdateUserInput): Promise<queries.Access> {
  const role = input.role ?? before.role;
  if (input.projectIds !== undefined) {
    await checkProjects(tx, role, input.projectIds);
    return { role, projectIds: input.projectIds };
  }
  return { role, projectIds: isLimitable(role) ? before.projectIds : null };
}

function assertNotLastOwner(role: Role, owners: number): void {
  if (role === 'owner' && owners === 1) {
    throw new AppError('CONFLICT', 'The last owner can be neither removed nor demoted.');
  }
}

async function checkProjects(tx: OrgTx, role: Role, projectIds: string[] | null): Promise<void> {
  if (projectIds === null) return;
  if (!isLimitable(role)) throw unprocessable('projectIds', 'Owners and admins cannot be limited to projects.');
  const distinct = [...new Set(projectIds)];
  if (distinct.length > 0 && (await queries.countProjectsOf(tx, distinct)) < distinct.length) {
    throw unprocessable('projectIds', 'There is no such project.');
  }
}
