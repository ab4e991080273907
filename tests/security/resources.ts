import { signUp } from '../../src/auth/session-users.ts';
import { linkPortal } from '../../src/domain/embedded/service.ts';
import { newId } from '../../src/lib/ids.ts';
import type { TestApp, TestMember } from '../support/app.ts';
import { seedAnalysis, seedRecords } from '../support/seed.ts';
import { send } from '../support/send.ts';
import { endpointUrl } from './operations-webhooks.ts';
import { categories, unknownIds, type Ids, type Operation } from './operations.ts';

/** What is made together, as one hangs on the other. */
const together: (keyof Ids)[][] = [
  ['projectId', 'recordId', 'analysisId', 'annotationId', 'alertId'],
  ['webhookId', 'deliveryId'],
  ['userId', 'matchId'],
  ['profileId'],
  ['portalId'],
];

let count = 0;

/** One of each in the member's organization, new ones each time, so that nothing is in the way of deleting them. */
export async function createResources(t: TestApp, member: TestMember): Promise<Ids> {
  const { orgId } = member;
  const [token] = await t.deps.connections.system<{ id: string }[]>`
    select id from api_tokens where org_id = ${orgId} limit 1`;
  return createNamed(t, member, { ...unknownIds(), orgId, tokenId: token?.id ?? '' }, new Set(together.flat()));
}

/** New ones of those that are named, and of what hangs on them, beside what there is. */
export async function createNamed(
  t: TestApp,
  member: TestMember,
  known: Ids,
  named: ReadonlySet<keyof Ids>,
): Promise<Ids> {
  const isNamed = (id: keyof Ids): boolean =>
    together.some((ids) => ids.includes(id) && ids.some((one) => named.has(one)));
  const create = async (url: string, payload: object): Promise<string> => {
    const { body } = await send(t, member, { method: 'POST', url: `/api/v1${url}`, payload });
    return body.data.id;
  };
  const ids = { ...known };
  if (isNamed('profileId')) {
    ids.profileId = await create('/profiles', { name: `New profile ${++count}`, categories, compliance: [] });
  }
  if (isNamed('projectId')) Object.assign(ids, await createCall(t, member, create));
  if (isNamed('webhookId')) {
    ids.webhookId = await create('/webhooks', { url: endpointUrl, events: ['alert.triggered'] });
    ids.deliveryId = await create(`/webhooks/${ids.webhookId}/test`, {});
  }
  if (isNamed('portalId')) ids.portalId = await linkedPortal(t, member);
  if (isNamed('userId')) {
    ids.userId = (await t.addMember(member, 'agent')).userId;
    ids.matchId = await waitingMatch(t, ids.userId);
  }
  return ids;
}

/** The ids that a request for the operation has. */
export function namesOf({ input }: Operation): Set<keyof Ids> {
  const named = new Set<keyof Ids>();
  const ids = unknownIds();
  for (const id of Object.keys(ids) as (keyof Ids)[]) {
    Object.defineProperty(ids, id, { enumerable: true, get: () => (named.add(id), '') });
  }
  input(ids);
  return named;
}

type Create = (url: string, payload: object) => Promise<string>;

/** A call that failed and was analysed, in a project of its own with an alert rule. */
async function createCall(t: TestApp, member: TestMember, create: Create): Promise<Partial<Ids>> {
  const projectId = await create('/projects', { name: `New project ${++count}` });
  const failure = { code: 'AUDIO_UNREADABLE', message: 'No audio.', retryable: true };
  const [recordId = ''] = await seedRecords(t, member, [{ projectId, status: 'failed', failure }]);
  const analysisId = await seedAnalysis(t, member, { recordId, projectId });
  const annotationId = await create(`/analyses/${analysisId}/annotations`, { text: 'A note' });
  await create(`/analyses/${analysisId}/review`, { verdict: 'approved' });
  const condition = { field: 'qualityScore', operator: 'lt', value: 60 };
  const alertId = await create('/alerts', { name: 'Low score', projectId, condition });
  return { projectId, recordId, analysisId, annotationId, alertId };
}

/** As the operator links one. */
async function linkedPortal(t: TestApp, { orgId }: TestMember): Promise<string> {
  const { connections, services } = t.deps;
  const { system } = connections;
  const memberId = newId('portal');
  await linkPortal({ db: services.db, system }, orgId, { memberId, domain: 'acme.bitrix24.com' });
  const [portal] = await system<{ id: string }[]>`select id from portals where member_id = ${memberId}`;
  return portal?.id ?? '';
}

/** As somebody makes one who signs in at a provider with the address of the member. */
export async function waitingMatch({ deps }: TestApp, userId: string): Promise<string> {
  const { system } = deps.connections;
  const subject = { issuer: 'https://login.example.com/', subject: newId('user') };
  const person = { email: `matched-${++count}@example.com`, isEmailVerified: true, name: null };
  await system`insert into accounts (user_id, address) values (${userId}, ${person.email})`;
  await signUp(system, subject, person);
  const [match] = await system<{ id: string }[]>`select id from identity_matches where user_id = ${userId}`;
  return match?.id ?? '';
}
