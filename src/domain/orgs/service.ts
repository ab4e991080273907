import type { Sql } from 'postgres';
import type { Role } from '../../model/role.ts';
import { membershipsOf } from '../../auth/principal.ts';
import type { Database } from '../../db/scope.ts';
import { AppError, notFound } from '../../lib/errors.ts';
import { listItems, type Page } from '../../lib/paging.ts';
import type { Directory, OrgContext, PersonContext } from '../context.ts';
import * as queries from './queries.ts';
import type { JoinedOrg, ListOrgsInput, Org, UpdateOrgInput } from './schemas.ts';

export { ensureUser, insertMembership, insertOrg, selectOrg } from './queries.ts';

export type OperatorContext = { db: Database; system: Sql };

export async function getOrg({ db, actor }: OrgContext): Promise<Org> {
  const org = await db.findInOrg(actor.orgId, queries.selectOrg);
  if (!org) throw notFound('Organization');
  return org;
}

export async function updateOrg({ db, actor }: OrgContext, { name }: UpdateOrgInput): Promise<Org> {
  const org = await db.withOrg(actor.orgId, (tx) => queries.updateOrg(tx, name));
  if (!org) throw notFound('Organization');
  return org;
}

/** The organizations that the credential gives access to, oldest first by default. */
export async function listOrgs(
  { directory, principal }: PersonContext,
  input: ListOrgsInput,
): Promise<Page<JoinedOrg>> {
  const roleIn = new Map(membershipsOf(principal).map(({ orgId, role }) => [orgId, role]));
  const orgs = await directory.findOrgs([...roleIn.keys()]);
  const joined = orgs
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .flatMap((org) => {
      const role = roleIn.get(org.id);
      return role === undefined ? [] : [{ ...org, role }];
    });
  return listItems(joined, input);
}

type NewMember = { orgId: string; email: string; name?: string; role: Role; projectIds?: string[] | null };

/** For the operator. Throws NOT_FOUND (organization) or CONFLICT (already a member). */
export async function addMember(
  { db, system }: OperatorContext,
  { orgId, email, name, role, projectIds = null }: NewMember,
): Promise<{ userId: string }> {
  const org = await db.withOrg(orgId, queries.selectOrg);
  if (!org) throw notFound('Organization');
  const userId = await queries.ensureUser(system, email, name);
  const isNew = await db.withOrg(orgId, (tx) => queries.insertMembership(tx, { userId, role, projectIds }));
  if (!isNew) throw new AppError('CONFLICT', `${email} is a member already.`);
  return { userId };
}

export function createDirectory(system: Sql): Directory {
  return {
    findOrgs: (ids) => queries.selectOrgs(system, ids),
    findToken: (id) => queries.selectToken(system, id),
    findPerson: async (userId) => (await queries.selectPeople(system, userId))[0],
    listPeople: () => queries.selectPeople(system),
  };
}
