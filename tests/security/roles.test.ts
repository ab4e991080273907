import { sql as fragment } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../src/model/role.ts';
import { issueToken } from '../../src/domain/tokens/service.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { audience, startIdentityProvider, type IdentityProvider } from '../support/identity-provider.ts';
import { seedAnalysis, seedRecords } from '../support/seed.ts';
import {
  operations,
  readAnswer,
  requestOf,
  surfacesOf,
  unknownIds,
  type Ids,
  type Operation,
  type Surface,
} from './operations.ts';
import { createNamed, createResources, namesOf } from './resources.ts';

const api = '/api/v1';
const roles: Role[] = ['owner', 'admin', 'supervisor', 'reviewer', 'agent'];
const phone = '+447700900123';
const masked = '+4******0123';

let t: TestApp;
let owner: TestMember;
let members: Record<Role, TestMember>;
let idp: IdentityProvider;
let sessions: Record<Role, string>;

beforeAll(async () => {
  idp = await startIdentityProvider();
  const env = { OIDC_ISSUER: idp.issuer, OIDC_AUDIENCE: audience };
  t = await createTestApp({ runPipeline: false, env });
  owner = await t.createOrg();
  const [admin, supervisor, reviewer, agent] = await Promise.all(
    (['admin', 'supervisor', 'reviewer', 'agent'] as const).map((role) => t.addMember(owner, role)),
  );
  if (!admin || !supervisor || !reviewer || !agent) throw new Error('There are four.');
  members = { owner, admin, supervisor, reviewer, agent };
  const tokens = await Promise.all(roles.map(async (role) => [role, await signIn(members[role])] as const));
  sessions = Object.fromEntries(tokens) as Record<Role, string>;
});
afterAll(async () => {
  await t.close();
  await idp.close();
});

/** What the identity provider gives the member, recognised by the verified address. */
async function signIn({ userId }: TestMember): Promise<string> {
  const [user] = await t.deps.connections.system<{ email: string }[]>`select email from users where id = ${userId}`;
  return idp.sign({ sub: userId, email: user?.email, email_verified: true, exp: Math.floor(Date.now() / 1000) + 3600 });
}

const matrix = operations.flatMap((operation) =>
  surfacesOf(operation).flatMap((surface) =>
    roles.map((role) => ({ operation, surface, role, may: operation.roles.includes(role) })),
  ),
);
const titled = matrix.map((entry) => ({
  ...entry,
  title: `${entry.role} ${entry.may ? 'may' : 'may not'} ${entry.operation.name} (${entry.surface})`,
}));

/** What is asked of one call or its analysis, by those whom a membership can limit to projects. */
const ofCalls = operations
  .filter(namesCall)
  .flatMap((operation) =>
    surfacesOf(operation).flatMap((surface) =>
      (['supervisor', 'reviewer'] as const)
        .filter((role) => operation.roles.includes(role))
        .map((role) => ({ operation, surface, role, title: `${role}, ${operation.name} (${surface})` })),
    ),
  );

function namesCall({ input, missing }: Operation): boolean {
  const ids = unknownIds();
  const given = JSON.stringify(input(ids));
  return missing !== undefined && [ids.recordId, ids.analysisId].some((id) => given.includes(id));
}

type Attempt = { operation: Operation; surface: Surface; role: Role; may: boolean };

/** Resources that the role sees, new ones as far as they are named: the agent's own, and annotations that it wrote. */
async function resourcesOf(role: Role, kept?: { ids: Ids; named: ReadonlySet<keyof Ids> }): Promise<Ids> {
  const ids = kept ? await createNamed(t, owner, kept.ids, kept.named) : await createResources(t, owner);
  const { userId } = members[role];
  const tokenId = await t.deps.services.db.withOrg(owner.orgId, async (tx) => {
    // The scope takes drizzle's SQL only; one update of one column needs no more.
    await tx.execute(`update records set agent_user_id = '${userId}' where id = '${ids.recordId}'`);
    await tx.execute(`update annotations set author_id = '${userId}' where id = '${ids.annotationId}'`);
    return (await issueToken(tx, userId, { name: 'Own', expiresAt: null })).id;
  });
  return { ...ids, tokenId };
}

/** Neither what is refused nor reading changes anything, so one set of resources serves all of it. */
const untouched = new Map<Role, Promise<Ids>>();

async function attempt({ operation, surface, role, may }: Attempt): Promise<{ status: number; body: string }> {
  if (!untouched.has(role)) untouched.set(role, resourcesOf(role));
  const kept = (await untouched.get(role)) ?? unknownIds();
  const isReading = surface === 'mcp' || requestOf(operation, surface, kept).method === 'GET';
  const ids = may && !isReading ? await resourcesOf(role, { ids: kept, named: namesOf(operation) }) : kept;
  // Programs speak REST, people who have signed in speak RPC.
  const credential = surface === 'rest' ? {} : { authorization: `Bearer ${sessions[role]}` };
  const headers = { ...members[role].headers, ...credential };
  const request = requestOf(operation, surface, ids);
  const response = await t.app.inject({ ...request, headers: { ...request.headers, ...headers } });
  return readAnswer(surface, response);
}

describe('the table of roles', () => {
  it.each(titled)('$title', async ({ operation, surface, role, may }) => {
    const { status, body } = await attempt({ operation, surface, role, may });
    const isPlain = operation.isForPeople ?? operation.own < 300;
    const success = surface === 'rpc' && isPlain ? 200 : operation.own;
    expect({ status, isForbidden: body.includes('"FORBIDDEN"') }).toEqual(
      may ? { status: success, isForbidden: false } : { status: 403, isForbidden: true },
    );
  });

  it('is looked at before anything that was sent', async () => {
    const { headers } = members.agent;
    const answers = await Promise.all([
      t.app.inject({ method: 'POST', url: `${api}/projects`, headers, payload: { nonsense: true } }),
      t.app.inject({ method: 'DELETE', url: `${api}/records/nothing`, headers }),
      t.app.inject({ method: 'DELETE', url: `${api}/projects/x?force=perhaps`, headers }),
      t.app.inject({ url: `${api}/profiles?page=0`, headers }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403]);
  });

  it('follows a change of role at once', async () => {
    const member = await t.addMember(owner, 'agent');
    const create = () => t.as(member, { method: 'POST', url: `${api}/profiles`, payload: {} });
    expect((await create()).status).toBe(403);
    await t.deps.connections.system`update memberships set role = 'admin' where user_id = ${member.userId}`;
    expect((await create()).status).toBe(400);
    await t.deps.connections.system`update memberships set role = 'agent' where user_id = ${member.userId}`;
    expect((await create()).status).toBe(403);
  });
});

describe('the phone number of a customer', () => {
  let id: string;
  beforeAll(async () => {
    [id = ''] = await seedRecords(t, owner, [{ customerPhone: phone, agentUserId: members.agent.userId }]);
  });

  it.each(roles)('is masked in the lists of the %s', async (role) => {
    for (const url of [`${api}/records`, `${api}/analyses`, `${api}/projects`]) {
      const { status, body } = await t.as(members[role], { url });
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toContain(phone);
    }
    const { body } = await t.as(members[role], { url: `${api}/records` });
    const item = body.data.find((record: { id: string }) => record.id === id);
    expect(item.customerPhone).toBe(masked);
  });

  it.each<[Role, string]>([
    ['owner', phone],
    ['admin', phone],
    ['supervisor', phone],
    ['reviewer', masked],
    ['agent', masked],
  ])('is shown in the detail to the %s as %s', async (role, shown) => {
    const { body } = await t.as(members[role], { url: `${api}/records/${id}` });
    expect(body.data.customerPhone).toBe(shown);
  });

  it('is in no event', async () => {
    const call = { externalId: 'phone', projectId: owner.projectId, recordingUrl: 'https://a.example/1.wav' };
    const ingested = await t.as(owner, {
      method: 'POST',
      url: `${api}/records/ingest`,
      payload: { ...call, customerPhone: phone },
    });
    await t.as(owner, { method: 'DELETE', url: `${api}/records/${ingested.body.data.id}` });
    const events = await t.deps.connections.system`
      select type, data::text as data from outbox where org_id = ${owner.orgId} and data::text like ${`%${ingested.body.data.id}%`}`;
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['record.created', 'record.deleted']));
    expect(JSON.stringify(events)).not.toContain('7700900123');
  });
});

describe('a membership limited to projects', () => {
  let org: TestMember;
  let visible: Ids;
  let hidden: Ids;
  let limited: Record<'supervisor' | 'reviewer', TestMember>;

  beforeAll(async () => {
    org = await t.createOrg();
    [visible, hidden] = [await createResources(t, org), await createResources(t, org)];
    await t.deps.services.db.withOrg(org.orgId, (tx) => tx.execute(fragment`update records set status = 'completed'`));
    const projectIds = [visible.projectId];
    limited = {
      supervisor: await t.addMember(org, 'supervisor', projectIds),
      reviewer: await t.addMember(org, 'reviewer', projectIds),
    };
  });

  it.each(['supervisor', 'reviewer'] as const)('shows a %s those projects and what is in them', async (role) => {
    const member = limited[role];
    const [records, analyses, projects] = await Promise.all(
      ['records', 'analyses', 'projects'].map(async (name) => (await t.as(member, { url: `${api}/${name}` })).body),
    );
    expect(records).toMatchObject({ data: [{ id: visible.recordId }], meta: { total: 1 } });
    expect(analyses).toMatchObject({ data: [{ id: visible.analysisId }], meta: { total: 1 } });
    expect(projects).toMatchObject({ data: [{ id: visible.projectId, recordCount: 1 }], meta: { total: 1 } });
  });

  it.each(['supervisor', 'reviewer'] as const)('answers a %s about all others as about nothing', async (role) => {
    const urls = [
      `/records/${hidden.recordId}`,
      `/records/${hidden.recordId}/transcript`,
      `/records/${hidden.recordId}/audio`,
      `/analyses/${hidden.analysisId}`,
      `/projects/${hidden.projectId}`,
      `/projects/${hidden.projectId}/stats`,
    ];
    const answers = await Promise.all(urls.map((url) => t.as(limited[role], { url: `${api}${url}` })));
    expect(answers.map(({ status }) => status)).toEqual(urls.map(() => 404));
    const filtered = await t.as(limited[role], { url: `${api}/records?projectId=${hidden.projectId}` });
    expect(filtered.body).toMatchObject({ data: [], meta: { total: 0 } });
  });

  it.each(ofCalls)('answers about calls of others as about nothing: $title', async ({ operation, surface, role }) => {
    const ask = async (ids: Ids) => {
      const request = requestOf(operation, surface, ids);
      const headers = { ...request.headers, ...limited[role].headers };
      return readAnswer(surface, await t.app.inject({ ...request, headers }));
    };
    const answer = await ask({
      ...unknownIds(),
      recordId: hidden.recordId,
      analysisId: hidden.analysisId,
      annotationId: hidden.annotationId,
    });
    expect(answer.status).toBe(operation.missing);
    expect(answer).toEqual(await ask(unknownIds()));
  });

  it('lets a supervisor neither put calls into others nor retry what is there', async () => {
    const call = { externalId: 'limited', projectId: hidden.projectId, recordingUrl: 'https://a.example/1.wav' };
    const ingested = await t.as(limited.supervisor, { method: 'POST', url: `${api}/records/ingest`, payload: call });
    const retried = await t.as(limited.supervisor, { method: 'POST', url: `${api}/records/${hidden.recordId}/retry` });
    expect([ingested.status, retried.status]).toEqual([404, 404]);
  });

  it('does not give away a call in another project that has the same external id', async () => {
    const call = { externalId: 'shared', recordingUrl: 'https://a.example/1.wav' };
    const ingest = (member: TestMember, projectId: string) =>
      t.as(member, { method: 'POST', url: `${api}/records/ingest`, payload: { ...call, projectId } });
    const first = await ingest(org, hidden.projectId);
    const second = await ingest(limited.supervisor, visible.projectId);
    expect([first.status, second.status]).toEqual([202, 409]);
    expect(JSON.stringify(second.body)).not.toContain(first.body.data.id);
  });

  it('does not limit an owner or an admin, whatever it says', async () => {
    const admin = await t.addMember(org, 'admin', [visible.projectId]);
    expect((await t.as(admin, { url: `${api}/projects/${hidden.projectId}` })).status).toBe(200);
  });

  it('to no project shows nothing', async () => {
    const nobody = await t.addMember(org, 'supervisor', []);
    const lists = await Promise.all(
      ['records', 'analyses', 'projects'].map(async (name) => (await t.as(nobody, { url: `${api}/${name}` })).body),
    );
    expect(lists.map(({ meta }) => meta.total)).toEqual([0, 0, 0]);
  });
});

describe('an agent', () => {
  let org: TestMember;
  let agent: TestMember;
  let own: { uploaded: string; handled: string };
  let others: string;
  let analyses: Record<'uploaded' | 'handled' | 'others', string>;

  beforeAll(async () => {
    org = await t.createOrg();
    agent = await t.addMember(org, 'agent');
    const done = { status: 'completed' as const, durationSeconds: 60, qualityScore: 80 };
    const [uploaded = '', handled = '', other = ''] = await seedRecords(t, org, [
      { ...done, uploadedBy: agent.userId },
      { ...done, uploadedBy: org.userId, agentUserId: agent.userId },
      { ...done, uploadedBy: org.userId, durationSeconds: 600, qualityScore: 20 },
    ]);
    own = { uploaded, handled };
    others = other;
    analyses = {
      uploaded: await seedAnalysis(t, org, { recordId: uploaded }),
      handled: await seedAnalysis(t, org, { recordId: handled }),
      others: await seedAnalysis(t, org, { recordId: other, qualityScore: 20 }),
    };
  });

  it('sees the records that they uploaded and those whose agent they are, with exact totals', async () => {
    const { body } = await t.as(agent, { url: `${api}/records` });
    const ids = body.data.map(({ id }: { id: string }) => id);
    expect(ids.toSorted()).toEqual([own.uploaded, own.handled].toSorted());
    expect(body.meta.total).toBe(2);
    const filtered = await t.as(agent, { url: `${api}/records?status=completed&from=2020-01-01&pageSize=1` });
    expect(filtered.body).toMatchObject({ data: [{}], meta: { total: 2 } });
  });

  it('sees the analyses of those records', async () => {
    const { body } = await t.as(agent, { url: `${api}/analyses` });
    const ids = body.data.map(({ id }: { id: string }) => id);
    expect(ids.toSorted()).toEqual([analyses.uploaded, analyses.handled].toSorted());
    expect(body.meta.total).toBe(2);
    expect((await t.as(agent, { url: `${api}/analyses/${analyses.handled}` })).status).toBe(200);
  });

  it('is answered about all others as about nothing', async () => {
    const urls = [`/records/${others}`, `/records/${others}/transcript`, `/records/${others}/audio`];
    const answers = await Promise.all(
      [...urls, `/analyses/${analyses.others}`].map((url) => t.as(agent, { url: `${api}${url}` })),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });

  it('gets statistics and counts of their own records', async () => {
    const stats = await t.as(agent, { url: `${api}/projects/${org.projectId}/stats` });
    const all = await t.as(org, { url: `${api}/projects/${org.projectId}/stats` });
    expect(stats.body.data).toMatchObject({ totalRecords: 2, averageDuration: 60, averageQualityScore: 80 });
    expect(all.body.data).toMatchObject({ totalRecords: 3, averageDuration: 240 });
    const project = await t.as(agent, { url: `${api}/projects/${org.projectId}` });
    const listed = await t.as(agent, { url: `${api}/projects` });
    expect([project.body.data.recordCount, listed.body.data[0].recordCount]).toEqual([2, 2]);
  });

  it('keeps out of sight what is theirs in projects they are not in', async () => {
    const elsewhere = await createResources(t, org);
    const limited = await t.addMember(org, 'agent', [elsewhere.projectId]);
    const [id = ''] = await seedRecords(t, org, [{ agentUserId: limited.userId }]);
    expect((await t.as(limited, { url: `${api}/records/${id}` })).status).toBe(404);
    expect((await t.as(limited, { url: `${api}/records` })).body.meta.total).toBe(0);
  });
});
