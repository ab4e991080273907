import type { Deps } from '../deps.ts';
import type { Role } from '../model/role.ts';
import { grantCredits } from '../domain/billing/service.ts';
import { type OperatorContext, addMember } from '../domain/orgs/service.ts';
import { createOrg } from '../domain/onboarding/service.ts';
import { AppError } from '../lib/errors.ts';
import { selectProjects } from '../domain/projects/service.ts';
import { ListProjectsInput } from '../domain/projects/schemas.ts';
import { issueToken } from '../domain/tokens/service.ts';

/** What a client needs to act in an organization. */
export type Access = { orgId: string; projectId: string; token: string };

type PersonPlan = { name: string; email: string; role: Role };
export type OrganizationPlan = { name: string; owner: string; ownerName: string; people: PersonPlan[] };

export const serviceDesk: OrganizationPlan = {
  name: 'Bluebird Contact Centre',
  owner: 'olivia.grant@bluebird.example',
  ownerName: 'Olivia Grant',
  people: [
    { name: 'Amelia Stone', email: 'amelia.stone@bluebird.example', role: 'admin' },
    { name: 'Samir Patel', email: 'samir.patel@bluebird.example', role: 'supervisor' },
    { name: 'Rosa Lindqvist', email: 'rosa.lindqvist@bluebird.example', role: 'reviewer' },
    { name: 'Brian Foster', email: 'brian.foster@bluebird.example', role: 'agent' },
  ],
};

export const clinic: OrganizationPlan = {
  name: 'Riverside Clinic',
  owner: 'henry.walsh@riverside.example',
  ownerName: 'Henry Walsh',
  people: [{ name: 'Nora Weiss', email: 'nora.weiss@riverside.example', role: 'supervisor' }],
};

const tokenLifetimeMs = 3_600_000;

type DemoDeps = Pick<Deps, 'connections' | 'services'>;
type DemoProject = { orgId: string; userId: string; projectId: string };

type OpenOptions = {
  plan: OrganizationPlan;
  /** What an earlier run stored; reused while its token works for this organization. */
  known: Access | undefined;
};

/** The organization with this name and owner, created on the first run, with a token of its owner. */
export async function openOrganization(deps: DemoDeps, { plan, known }: OpenOptions): Promise<Access> {
  const { db } = deps.services;
  const { system } = deps.connections;
  const { orgId, projectId, userId } = (await findOrganization(deps, plan)) ?? (await createWithCredits(deps, plan));
  for (const { role, ...person } of plan.people) await joinOrganization({ db, system }, { ...person, role, orgId });
  if (known?.projectId === projectId && (await isTokenOf(deps, orgId, known.token))) return known;
  const issued = await db.withOrg(orgId, (tx) => issueToken(tx, userId, { name: 'demo', expiresAt: null }));
  return { orgId, projectId, token: issued.token };
}

async function createWithCredits(
  { connections, services: { db } }: DemoDeps,
  plan: OrganizationPlan,
): Promise<DemoProject> {
  const place = await createOrg({ db, system: connections.system }, plan);
  await grantCredits({ db }, { orgId: place.orgId, type: 'grant', amount: '25', description: 'To begin with' });
  return place;
}

/** A one-hour token for something that one member does themselves, such as an agent who uploads their own calls. */
export async function tokenOf({ connections, services }: DemoDeps, orgId: string, email: string): Promise<string> {
  const [user] = await connections.system<{ id: string }[]>`
    select id from users where lower(email) = lower(${email}) and email_verified`;
  if (!user) throw new Error(`${email} is no user of the demo.`);
  const expiresAt = new Date(Date.now() + tokenLifetimeMs);
  const { token } = await services.db.withOrg(orgId, (tx) => issueToken(tx, user.id, { name: 'demo', expiresAt }));
  return token;
}

type Joining = PersonPlan & { orgId: string };

/** On the first run only; later runs leave memberships unchanged. */
async function joinOrganization(context: OperatorContext, joining: Joining): Promise<void> {
  try {
    await addMember(context, joining);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'CONFLICT')) throw error;
  }
}

async function findOrganization(
  { connections, services }: DemoDeps,
  plan: OrganizationPlan,
): Promise<DemoProject | undefined> {
  const [owned] = await connections.system<{ orgId: string; userId: string }[]>`
    select o.id as "orgId", u.id as "userId"
      from orgs o join memberships m on m.org_id = o.id join users u on u.id = m.user_id
     where o.name = ${plan.name} and m.role = 'owner' and lower(u.email) = lower(${plan.owner})
     order by o.id limit 1`;
  if (!owned) return undefined;
  const oldest = ListProjectsInput.parse({ pageSize: 1 });
  const [project] = await services.db.withOrg(owned.orgId, async (tx) => {
    const [projects] = selectProjects(tx, { projectIds: null, ownUserId: null }, oldest);
    return projects;
  });
  return project && { ...owned, projectId: project.id };
}

async function isTokenOf({ services }: DemoDeps, orgId: string, token: string): Promise<boolean> {
  try {
    const { principal } = await services.auth.authenticate({ authorization: `Bearer ${token}` });
    return principal.kind === 'api-token' && principal.membership.orgId === orgId;
  } catch {
    return false;
  }
}
