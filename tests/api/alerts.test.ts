import { stringify } from 'superjson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { eventually } from '../pipeline/support/hosts.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { publishCall, type PublishedCall } from '../support/published-call.ts';

const api = '/api/v1';
const lowScore = { field: 'qualityScore', operator: 'lt', value: 60 };
type Body = ReturnType<typeof JSON.parse>;

let t: TestApp;
let owner: TestMember;

beforeAll(async () => {
  t = await createTestApp();
  owner = await t.createOrg();
});
afterAll(() => t.close());

const create = (payload: object, member = owner) =>
  t.as(member, { method: 'POST', url: `${api}/alerts`, payload: { name: 'Rule', condition: lowScore, ...payload } });
const addRule = async (payload: object, member = owner): Promise<string> =>
  (await create(payload, member)).body.data.id;
const patch = (id: string, payload: object, member = owner) =>
  t.as(member, { method: 'PATCH', url: `${api}/alerts/${id}`, payload });
const get = (path: string, member = owner) => t.as(member, { url: `${api}${path}` });
const firingsOf = async (id: string, member = owner): Promise<Body> => (await get(`/alerts/${id}/events`, member)).body;

/** A call whose analysis becomes the current one, once the rules have been held against it. */
async function publish({ org = owner, ...call }: Partial<PublishedCall> & { org?: TestMember } = {}) {
  const published = await publishCall(t, org, call);
  await evaluated(org);
  return published;
}

/** Waits until nothing of the organization is left to be done. */
async function evaluated({ orgId }: TestMember): Promise<void> {
  await eventually(async () => {
    const open = await t.deps.connections.system`
      select from outbox where org_id = ${orgId} and (dispatched_at is null or due_at is not null)`;
    return open.length === 0 || undefined;
  });
}

describe('an alert rule', () => {
  it('is created with defaults, read, changed in part and deleted', async () => {
    const { status, headers, body } = await create({ projectId: owner.projectId, actions: ['webhook', 'email'] });
    expect(status).toBe(201);
    const { id } = body.data;
    expect(headers['location']).toBe(`${api}/alerts/${id}`);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^alr_/),
      name: 'Rule',
      projectId: owner.projectId,
      condition: lowScore,
      actions: ['webhook', 'email'],
      recipients: [],
      enabled: true,
      severity: 'warning',
      cooldownSeconds: 0,
      triggerCount: 0,
      lastTriggeredAt: null,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
    expect((await get(`/alerts/${id}`)).body).toEqual(body);
    const condition = { field: 'complianceStatus', operator: 'neq', value: 'passed' };
    const changed = await patch(id, {
      condition,
      projectId: null,
      severity: 'critical',
      recipients: ['a@example.com'],
    });
    expect(changed.body.data).toEqual({
      ...body.data,
      condition,
      projectId: null,
      severity: 'critical',
      recipients: ['a@example.com'],
      updatedAt: expect.any(String),
    });
    expect((await patch(id, {})).body.data.condition).toEqual(condition);
    expect((await t.as(owner, { method: 'DELETE', url: `${api}/alerts/${id}` })).status).toBe(204);
    expect([(await get(`/alerts/${id}`)).status, (await patch(id, {})).status]).toEqual([404, 404]);
  });

  it('is listed oldest first, in pages, by project and by whether it is enabled', async () => {
    const org = await t.createOrg();
    const [a, b] = [await addRule({ name: 'a', projectId: org.projectId }, org), await addRule({ name: 'b' }, org)];
    const c = await addRule({ name: 'c', enabled: false }, org);
    const ids = async (query: string): Promise<[string[], number]> => {
      const { body } = await get(`/alerts${query}`, org);
      return [body.data.map(({ id }: { id: string }) => id), body.meta.total];
    };
    expect(await ids('')).toEqual([[a, b, c], 3]);
    expect(await ids('?pageSize=1&page=2')).toEqual([[b], 3]);
    expect(await ids(`?projectId=${org.projectId}`)).toEqual([[a], 1]);
    expect(await ids('?enabled=false')).toEqual([[c], 1]);
    expect((await get('/alerts?enabled=perhaps', org)).status).toBe(400);
  });

  it.each([
    ['condition.field', { condition: { ...lowScore, field: 'score' } }],
    ['condition.field', { condition: { ...lowScore, field: 'categories.' } }],
    ['condition.field', { condition: { ...lowScore, field: 'categories.a b' } }],
    ['condition.operator', { condition: { ...lowScore, operator: '<' } }],
    ['condition.value', { condition: { ...lowScore, value: '60' } }],
    ['condition.value', { condition: { ...lowScore, value: true } }],
    ['condition.value', { condition: { field: 'complianceStatus', operator: 'eq', value: 60 } }],
    ['condition.value', { condition: { field: 'complianceStatus', operator: 'eq', value: 'bad' } }],
    ['condition.operator', { condition: { field: 'complianceStatus', operator: 'lt', value: 'failed' } }],
    ['condition.value', { condition: { field: 'judgedShare', operator: 'lt', value: 60 } }],
    ['condition.value', { condition: { field: 'judgedShare', operator: 'lt', value: -1 } }],
    ['condition.value', { condition: { field: 'talkRatio', operator: 'lt', value: 40 } }],
    ['condition', { condition: null }],
    ['name', { name: ' ' }],
    ['actions.0', { actions: ['sms'] }],
    ['actions', { actions: ['email', 'email'] }],
    ['recipients.0', { recipients: ['nobody'] }],
    ['severity', { severity: 'high' }],
    ['cooldownSeconds', { cooldownSeconds: -1 }],
    ['enabled', { enabled: 'yes' }],
  ])('names %s as the mistake in %j, over REST and RPC, when created and when changed', async (path, payload) => {
    const id = await addRule({});
    const rpc = t.as(owner, {
      method: 'POST',
      url: '/api/trpc/alerts.create',
      headers: { 'content-type': 'application/json' },
      payload: stringify({ name: 'Rule', condition: lowScore, ...payload }),
    });
    const [created, changed, called] = await Promise.all([create(payload), patch(id, payload), rpc]);
    for (const { status, body } of [created, changed]) {
      expect(status).toBe(400);
      expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path }] });
    }
    expect(called.status).toBe(400);
    expect(called.body.error.json.data).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path }] });
  });

  it('needs a project that exists, or none', async () => {
    const id = await addRule({});
    for (const projectId of [newId('project'), 'x']) {
      expect((await create({ projectId })).status).toBe(404);
      expect((await patch(id, { projectId })).status).toBe(404);
    }
  });

  it('of another project does not exist for a membership limited to one; those for all projects do', async () => {
    const org = await t.createOrg();
    const second = await t.as(org, { method: 'POST', url: `${api}/projects`, payload: { name: 'Second' } });
    const supervisor = await t.addMember(org, 'supervisor', [second.body.data.id]);
    const hidden = await addRule({ projectId: org.projectId }, org);
    const forAll = await addRule({}, org);
    const own = await addRule({ projectId: second.body.data.id }, org);
    await publish({ org });
    await publish({ org, projectId: second.body.data.id });
    expect((await get('/alerts', supervisor)).body).toMatchObject({
      data: [{ id: forAll }, { id: own }],
      meta: { total: 2 },
    });
    expect((await get(`/alerts/${hidden}`, supervisor)).status).toBe(404);
    expect((await get(`/alerts/${hidden}/events`, supervisor)).status).toBe(404);
    expect((await firingsOf(forAll, org)).meta.total).toBe(2);
    expect(await firingsOf(forAll, supervisor)).toMatchObject({
      data: [{ projectId: second.body.data.id }],
      meta: { total: 1 },
    });
  });
});

describe('a condition', () => {
  // Of a call with score 50, of which 0.823 was judged, with 2 checks left, greeting 50, closing null, 120 s, talk ratio 0.6, 3 interruptions and sentiment -0.2.
  const cases: [field: string, operator: string, value: number | string, fires: boolean][] = [
    ['qualityScore', 'lt', 50, false],
    ['qualityScore', 'lt', 50.5, true],
    ['qualityScore', 'lte', 50, true],
    ['qualityScore', 'gt', 50, false],
    ['qualityScore', 'gt', 9, true],
    ['qualityScore', 'gte', 50, true],
    ['qualityScore', 'eq', 50, true],
    ['qualityScore', 'neq', 50, false],
    ['categories.greeting', 'lt', 51, true],
    ['categories.greeting', 'neq', 51, true],
    ['categories.closing', 'lt', 100, false],
    ['categories.closing', 'neq', 1, false],
    ['categories.professionalism', 'gte', 0, false],
    ['judgedShare', 'lt', 0.824, true],
    ['judgedShare', 'gte', 0.823, true],
    ['judgedShare', 'lt', 0.823, false],
    ['needsReviewCount', 'gt', 1, true],
    ['needsReviewCount', 'gte', 3, false],
    ['duration', 'gte', 120, true],
    ['duration', 'gt', 120, false],
    ['talkRatio', 'eq', 0.6, true],
    ['talkRatio', 'gt', 0.59, true],
    ['nonTalkTimeMs', 'gt', 19_999, true],
    ['interruptions', 'eq', 3, true],
    ['sentiment', 'lt', 0, true],
    ['sentiment', 'lt', -0.2, false],
    ['complianceStatus', 'eq', 'passed', true],
    ['complianceStatus', 'eq', 'failed', false],
    ['complianceStatus', 'neq', 'failed', true],
    ['complianceStatus', 'neq', 'passed', false],
  ];

  it('fires on what it says, and never on a value that a call does not have', async () => {
    const org = await t.createOrg();
    const ids = await Promise.all(
      cases.map(([field, operator, value]) => addRule({ condition: { field, operator, value } }, org)),
    );
    const { recordId, analysisId } = await publish({ org, judgedShare: 0.823, needsReviewCount: 2 });
    for (const [index, [field, operator, value, fires]] of cases.entries()) {
      const { data } = await firingsOf(ids[index] ?? '', org);
      const expected = fires ? [{ recordId, analysisId, condition: { field, operator, value } }] : [];
      expect({ field, operator, value, data }).toMatchObject({ field, operator, value, data: expected });
    }
    const withoutScore = await publish({ org, qualityScore: null });
    const all = await Promise.all(ids.slice(0, 8).map((id) => firingsOf(id, org)));
    expect(JSON.stringify(all)).not.toContain(withoutScore.analysisId);
  });
});

describe('a rule that fires', () => {
  it('counts it, lists it and announces it in one event', async () => {
    const org = await t.createOrg();
    const id = await addRule({ projectId: org.projectId, actions: ['webhook'], severity: 'critical' }, org);
    const { recordId, analysisId } = await publish({ org, qualityScore: 42 });
    const rule = (await get(`/alerts/${id}`, org)).body.data;
    expect(rule).toMatchObject({ triggerCount: 1, lastTriggeredAt: expect.stringMatching(/Z$/) });
    const { data } = await firingsOf(id, org);
    expect(data).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        alertId: id,
        recordId,
        analysisId,
        projectId: org.projectId,
        cause: 'analysis',
        severity: 'critical',
        condition: lowScore,
        value: 42,
        triggeredAt: rule.lastTriggeredAt,
      },
    ]);
    const events = await t.deps.connections.system`
      select id, data from outbox where org_id = ${org.orgId} and type = 'alert.triggered'`;
    expect(events).toEqual([
      {
        id: data[0].id,
        data: {
          alertId: id,
          name: 'Rule',
          severity: 'critical',
          actions: ['webhook'],
          condition: lowScore,
          value: 42,
          cause: 'analysis',
          recordId,
          analysisId,
          projectId: org.projectId,
          agentName: 'Dana',
          qualityScore: 42,
          judgedShare: 1,
          needsReviewCount: 0,
          complianceStatus: 'passed',
          triggeredAt: rule.lastTriggeredAt,
        },
      },
    ]);
  });

  it('does so for its project or for all, and not while it is disabled', async () => {
    const org = await t.createOrg();
    const second = await t.as(org, { method: 'POST', url: `${api}/projects`, payload: { name: 'Second' } });
    const projectId = second.body.data.id;
    const other = await t.createOrg();
    const rules = {
      first: await addRule({ projectId: org.projectId }, org),
      second: await addRule({ projectId }, org),
      all: await addRule({}, org),
      silent: await addRule({ enabled: false }, org),
    };
    const elsewhere = await addRule({}, other);
    await publish({ org });
    await publish({ org, projectId });
    const totals = await Promise.all(Object.values(rules).map(async (id) => (await firingsOf(id, org)).meta.total));
    expect(totals).toEqual([1, 1, 2, 0]);
    expect((await firingsOf(elsewhere, other)).meta.total).toBe(0);
  });

  it('is silent for its cooldown, and not a second longer', async () => {
    const org = await t.createOrg();
    const id = await addRule({ cooldownSeconds: 60 }, org);
    await publish({ org });
    await publish({ org });
    expect((await get(`/alerts/${id}`, org)).body.data.triggerCount).toBe(1);
    const age = (seconds: number) =>
      t.deps.services.db.withOrg(org.orgId, (tx) =>
        tx.execute(`update alerts set last_triggered_at = now() - interval '${seconds} seconds'`),
      );
    await age(55);
    await publish({ org });
    expect((await get(`/alerts/${id}`, org)).body.data.triggerCount).toBe(1);
    await age(60);
    await publish({ org });
    expect((await get(`/alerts/${id}`, org)).body.data.triggerCount).toBe(2);
  });

  it('holds its cooldown and its count when many calls are published at once', async () => {
    const org = await t.createOrg();
    const patient = await addRule({ cooldownSeconds: 3600 }, org);
    const eager = await Promise.all(Array.from({ length: 5 }, () => addRule({}, org)));
    await Promise.all(Array.from({ length: 16 }, () => publish({ org })));
    expect((await get(`/alerts/${patient}`, org)).body.data.triggerCount).toBe(1);
    expect((await firingsOf(patient, org)).meta.total).toBe(1);
    for (const id of eager) {
      expect((await get(`/alerts/${id}`, org)).body.data.triggerCount).toBe(16);
      expect((await firingsOf(id, org)).meta.total).toBe(16);
    }
  });

  it('lists its firings newest first, in pages', async () => {
    const org = await t.createOrg();
    const id = await addRule({}, org);
    const calls = [await publish({ org }), await publish({ org }), await publish({ org })];
    const { body } = await get(`/alerts/${id}/events?pageSize=2`, org);
    expect(body.meta).toMatchObject({ page: 1, pageSize: 2, total: 3 });
    expect(body.data.map(({ recordId }: { recordId: string }) => recordId)).toEqual([
      calls[2]?.recordId,
      calls[1]?.recordId,
    ]);
  });
});

describe('a review that changes scores', () => {
  const review = async (id: string, payload: object, org: TestMember) => {
    const answer = await t.as(org, { method: 'POST', url: `${api}/analyses/${id}/review`, payload });
    await evaluated(org);
    return answer;
  };

  it('is held against the rules again; what has fired for the version stays at that', async () => {
    const org = await t.createOrg();
    const low = await addRule({ condition: { field: 'categories.greeting', operator: 'lt', value: 60 } }, org);
    const veryLow = await addRule({ condition: { field: 'categories.greeting', operator: 'lt', value: 20 } }, org);
    const { analysisId } = await publish({ org });
    await review(analysisId, { verdict: 'adjusted', categories: { greeting: 10 }, comment: 'x' }, org);
    await review(analysisId, { verdict: 'adjusted', categories: { greeting: 5 }, comment: 'x' }, org);
    expect(await firingsOf(low, org)).toMatchObject({ data: [{ cause: 'analysis', value: 50 }], meta: { total: 1 } });
    expect(await firingsOf(veryLow, org)).toMatchObject({ data: [{ cause: 'review', value: 10 }], meta: { total: 1 } });
  });

  it('is the only one: an approval wakes no rule', async () => {
    const org = await t.createOrg();
    const { analysisId } = await publish({ org });
    const late = await addRule({}, org);
    await review(analysisId, { verdict: 'approved' }, org);
    expect((await firingsOf(late, org)).meta.total).toBe(0);
  });

  it('fires only rules whose outcome it changes, not those about values that it left as they were', async () => {
    const org = await t.createOrg();
    const { recordId, analysisId } = await publish({ org });
    // Made after the analysis, so that none of them has fired: all but the last three hold already.
    const conditions = [
      { field: 'complianceStatus', operator: 'eq', value: 'passed' },
      { field: 'duration', operator: 'gte', value: 60 },
      { field: 'sentiment', operator: 'lt', value: 0 },
      { field: 'qualityScore', operator: 'lt', value: 60 },
      { field: 'categories.greeting', operator: 'neq', value: 60 },
      { field: 'categories.greeting', operator: 'lt', value: 20 },
      { field: 'qualityScore', operator: 'lte', value: 10 },
      { field: 'categories.closing', operator: 'neq', value: 90 },
    ];
    const ids = await Promise.all(conditions.map((condition) => addRule({ condition }, org)));
    const adjusted = { verdict: 'adjusted', categories: { greeting: 10, closing: 10 }, comment: 'x' };
    await review(analysisId, adjusted, org);
    const fired = await Promise.all(ids.map(async (id) => (await firingsOf(id, org)).data));
    expect(fired.map((each: Body[]) => each.map(({ value }) => value))).toEqual([[], [], [], [], [], [10], [10], [10]]);
    expect(fired[5]).toMatchObject([{ recordId, analysisId, cause: 'review' }]);
    // Each revision is held against the one before it: what it leaves alone stays silent.
    const late = await addRule({ condition: { field: 'categories.greeting', operator: 'lte', value: 15 } }, org);
    await review(analysisId, { ...adjusted, categories: { greeting: 10, closing: 5 } }, org);
    expect((await firingsOf(late, org)).meta.total).toBe(0);
  });
});

describe('deletion', () => {
  const remaining = (org: TestMember) =>
    t.deps.connections.system.begin(async (tx) => {
      await tx`select set_config('role', 'earshot_app', true), set_config('app.org_id', ${org.orgId}, true)`;
      const [row] =
        await tx`select (select count(*)::int from alerts) as rules, (select count(*)::int from alert_events) as firings`;
      return row;
    });

  it('of a record takes its firings along, of a rule those of the rule, of a project its rules', async () => {
    const org = await t.createOrg();
    const second = await t.as(org, { method: 'POST', url: `${api}/projects`, payload: { name: 'Second' } });
    const projectId = second.body.data.id;
    const rule = await addRule({}, org);
    const other = await addRule({}, org);
    await addRule({ projectId }, org);
    const { recordId } = await publish({ org });
    await publish({ org, projectId });
    expect(await remaining(org)).toEqual({ rules: 3, firings: 5 });
    await t.as(org, { method: 'DELETE', url: `${api}/records/${recordId}` });
    expect(await remaining(org)).toEqual({ rules: 3, firings: 3 });
    expect((await get(`/alerts/${rule}`, org)).body.data.triggerCount).toBe(2);
    await t.as(org, { method: 'DELETE', url: `${api}/alerts/${other}` });
    expect(await remaining(org)).toEqual({ rules: 2, firings: 2 });
    const deleted = await t.as(org, { method: 'DELETE', url: `${api}/projects/${projectId}?force=true` });
    expect(deleted.status).toBe(204);
    expect(await remaining(org)).toEqual({ rules: 1, firings: 0 });
  });
});
