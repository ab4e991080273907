import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { publishCall } from '../support/published-call.ts';
import { asAdmin, eventually, hurry } from './support/hosts.ts';

const lowScore = { field: 'qualityScore', operator: 'lt', value: 60 };

let t: TestApp;
let org: TestMember;

/** Nothing runs until a test starts it: as if the process had died after the publication. */
beforeEach(async () => {
  t = await createTestApp({ runPipeline: false, env: { LOG_LEVEL: 'silent' } });
  org = await t.createOrg();
});
afterEach(() => t.close());

async function request(method: 'POST' | 'PATCH' | 'DELETE', path: string, payload: object = {}) {
  const { status, body } = await t.as(org, { method, url: `/api/v1${path}`, payload });
  expect({ path, status, body }).toMatchObject({ status: expect.toSatisfy((code: number) => code < 300) });
  return body?.data;
}

const addRule = async (rule: object = {}): Promise<string> =>
  (await request('POST', '/alerts', { name: 'Rule', condition: lowScore, actions: ['webhook'], ...rule })).id;

type Order = { id: string; data: object; createdAt: Date; isOpen: boolean; isDone: boolean };

function orders(type = 'alerts.evaluate.requested'): Promise<Order[]> {
  return t.deps.connections.system<Order[]>`
    select id, data, created_at as "createdAt", dispatched_at is null or due_at is not null as "isOpen",
           done_at is not null as "isDone"
      from outbox where org_id = ${org.orgId} and type = ${type} order by id`;
}

async function allDone(): Promise<void> {
  await eventually(async () => (await orders()).every(({ isDone }) => isDone) || undefined);
}

/** Of each rule: how often it has fired, and how often it says so. */
async function firings(...ids: string[]): Promise<[listed: number, counted: number][]> {
  return Promise.all(
    ids.map(async (id): Promise<[number, number]> => {
      const [events, rule] = await Promise.all([
        t.as(org, { url: `/api/v1/alerts/${id}/events` }),
        t.as(org, { url: `/api/v1/alerts/${id}` }),
      ]);
      return [events.body.meta.total, rule.body.data.triggerCount];
    }),
  );
}

describe('an evaluation of alert rules', () => {
  it('is ordered with the publication, by ids alone, and only where a rule could fire', async () => {
    const second = (await request('POST', '/projects', { name: 'Second' })).id;
    await addRule({ projectId: second });
    await addRule({ enabled: false });
    await addRule({ condition: { ...lowScore, value: 20 } });
    const silent = await addRule({ cooldownSeconds: 3600 });
    await asAdmin(
      t.deps.config.DATABASE_URL ?? '',
      (sql) => sql`update alerts set last_triggered_at = now() where id = ${silent}`,
    );
    await publishCall(t, org);
    expect(await orders()).toEqual([]);
    const rule = await addRule();
    const { recordId, analysisId } = await publishCall(t, org);
    expect(await orders()).toMatchObject([{ data: { recordId, analysisId, review: null }, isOpen: true }]);
    expect(await firings(rule)).toEqual([[0, 0]]);
  });

  it('is ordered by a review that changes what counts, where a rule that has not fired could', async () => {
    const { recordId, analysisId } = await publishCall(t, org);
    const submit = (review: object) => request('POST', `/analyses/${analysisId}/review`, { comment: 'x', ...review });
    const adjusted = (greeting: number) => submit({ verdict: 'adjusted', categories: { greeting } });
    await addRule({ condition: { field: 'categories.greeting', operator: 'lt', value: 20 } });
    await submit({ verdict: 'approved' });
    await adjusted(40);
    expect(await orders()).toEqual([]);
    const { id } = await adjusted(10);
    expect((await orders()).map(({ data }) => data)).toEqual([{ recordId, analysisId, review: { id, revision: 3 } }]);
    await t.deps.start();
    await allDone();
    await adjusted(5);
    expect(await orders()).toHaveLength(1);
  });

  it('is made by whoever comes after a process that died, against what was published', async () => {
    const rule = await addRule();
    const { recordId, analysisId } = await publishCall(t, org, { qualityScore: 42 });
    const review = { verdict: 'adjusted', categories: { greeting: 90 }, comment: 'x' };
    await request('POST', `/analyses/${analysisId}/review`, review);
    const later = await addRule();
    const [order] = await orders();
    await t.deps.start();
    await allDone();
    const { body } = await t.as(org, { url: `/api/v1/alerts/${rule}/events` });
    const triggeredAt = order?.createdAt.toISOString();
    expect(body.data).toMatchObject([{ recordId, analysisId, cause: 'analysis', value: 42, triggeredAt }]);
    expect(await firings(rule, later)).toEqual([
      [1, 1],
      [0, 0],
    ]);
    expect(await orders('alert.triggered')).toMatchObject([
      { id: body.data[0].id, data: { value: 42, agentName: 'Dana' } },
    ]);
  });

  it('fires each rule once, however often it is announced', async () => {
    const rules = [await addRule(), await addRule()];
    await publishCall(t, org);
    const [order] = await orders();
    await t.deps.start();
    await allDone();
    const { system } = t.deps.connections;
    const isAgain = system`id = ${order?.id ?? ''}`;
    await system`update outbox set done_at = null, dispatched_at = null, announcements = 1 where ${isAgain}`;
    await eventually(
      async () =>
        (await system`select from engine_runs where function_id = 'earshot-evaluate-alerts'`).length === 2 || undefined,
    );
    await allDone();
    expect(await firings(...rules)).toEqual([
      [1, 1],
      [1, 1],
    ]);
    expect(await orders('alert.triggered')).toHaveLength(2);
  });

  it('is open until its firings have committed', async () => {
    const rule = await addRule();
    const admin = <T>(work: Parameters<typeof asAdmin<T>>[1]) => asAdmin(t.deps.config.DATABASE_URL ?? '', work);
    await admin((sql) => sql`alter table alert_events add constraint none_today check (false) not valid`);
    await publishCall(t, org);
    await t.deps.start();
    const { system } = t.deps.connections;
    await eventually(async () => (await system`select from engine_queue where attempt = 1`).length === 1 || undefined);
    expect(await orders()).toMatchObject([{ isOpen: true, isDone: false }]);
    expect(await firings(rule)).toEqual([[0, 0]]);
    await admin((sql) => sql`alter table alert_events drop constraint none_today`);
    await hurry(system);
    await allDone();
    expect(await firings(rule)).toEqual([[1, 1]]);
  });

  it('has nothing to do once its call is deleted', async () => {
    const rule = await addRule();
    const { recordId } = await publishCall(t, org);
    await request('DELETE', `/records/${recordId}`);
    await t.deps.start();
    await allDone();
    expect(await firings(rule)).toEqual([[0, 0]]);
  });
});
