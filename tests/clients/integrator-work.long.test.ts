import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestMember } from '../support/app.ts';
import { startIntegrator, type Integrator } from '../support/integrator.ts';

/** What an organization sets up and does with its calls: projects, profiles, rules, roles. */
type Role = 'admin' | 'supervisor' | 'reviewer' | 'agent';
let s: Integrator;
let owner: TestMember;
let stranger: TestMember;
let members: Record<Role | 'owner', TestMember>;
let call: { id: string; analysisId: string };
let profileId: string;

beforeAll(async () => {
  s = await startIntegrator({ CORS_ORIGINS: 'https://desk.example.com' });
  owner = await s.app.createOrg();
  stranger = await s.app.createOrg();
  const [admin, supervisor, reviewer, agent] = await Promise.all(
    (['admin', 'supervisor', 'reviewer', 'agent'] as const).map((role) => s.app.addMember(owner, role)),
  );
  if (!admin || !supervisor || !reviewer || !agent) throw new Error('Every role has a member.');
  members = { owner, admin, supervisor, reviewer, agent };
  call = await s.scored(owner, { metadata: { agentName: 'Anna', externalId: 'a-1' } });
  profileId = (await s.request(owner, 'getProject', { path: [owner.projectId] })).body.data.profileId;
});
afterAll(() => s.close());

const condition = { field: 'qualityScore', operator: 'lt', value: 60 };
const rule = { name: 'Low', condition };

describe('projects', () => {
  it('are made, read, changed and deleted', async () => {
    const json = { name: 'Ünïcode 日本', description: 'd', language: 'en', settings: { retentionDays: 1 } };
    const made = await s.request(owner, 'createProject', { json });
    const { id } = made.body.data;
    expect(made.headers['location']).toBe(`/api/v1/projects/${id}`);
    expect(made.body.data).toMatchObject({ name: json.name, recordCount: 0, settings: { retentionDays: 1 } });
    const read = await s.request(owner, 'getProject', { path: [id] });
    expect([read.body, read.headers['etag']]).toEqual([made.body, made.headers['etag']]);
    const changed = await s.request(owner, 'updateProject', { path: [id], json: { description: 'e' } });
    expect(changed.body.data).toMatchObject({ name: json.name, description: 'e', settings: { retentionDays: 1 } });
    expect((await s.request(owner, 'deleteProject', { path: [id] })).body).toBe('');
    expect((await s.request(owner, 'getProject', { path: [id] })).status).toBe(404);
  });

  it.each([
    ['no name', {}, 400],
    ['an empty name', { name: '' }, 400],
    ['a name of spaces', { name: '   ' }, 400],
    ['a name of 121 letters', { name: 'a'.repeat(121) }, 400],
    ['a number as name', { name: 7 }, 400],
    ['no retention', { name: 'P1', settings: { retentionDays: 0 } }, 400],
    ['a retention of 3651 days', { name: 'P1', settings: { retentionDays: 3651 } }, 400],
    ['a retention of half a day', { name: 'P1', settings: { retentionDays: 0.5 } }, 400],
    ['a setting that is none', { name: 'P1', settings: { retention: 1 } }, 400],
    ['a language that is none', { name: 'P1', language: 'not a language' }, 400],
    ['a channel that is nobody', { name: 'P1', settings: { channelMap: { 0: 'nobody' } } }, 400],
    ['a description of 2001 letters', { name: 'P1', description: 'a'.repeat(2001) }, 400],
    ['a profile that is not there', { name: 'P1', profileId: 'prf_x' }, 422],
    ['a name of 120 letters', { name: 'é'.repeat(120) }, 201],
    ['a retention of 3650 days', { name: 'P2', settings: { retentionDays: 3650 } }, 201],
    ['a description of 2000 letters', { name: 'P3', description: 'a'.repeat(2000) }, 201],
    ['a name that is taken', { name: 'P3' }, 409],
  ])('with %s: %j', async (_, json, status) => {
    expect((await s.request(owner, 'createProject', { json })).status).toBe(status);
  });

  it('with calls are kept, unless that is forced', async () => {
    expect((await s.request(owner, 'deleteProject', { path: [owner.projectId] })).status).toBe(409);
  });

  it('count their calls', async () => {
    const { body } = await s.request(owner, 'getProjectStats', { path: [owner.projectId] });
    expect(body.data).toMatchObject({
      projectId: owner.projectId,
      totalRecords: 1,
      completedRecords: 1,
      averageDuration: 10,
    });
    const query = 'from=2020-01-01&to=2020-01-31';
    const old = await s.request(owner, 'getProjectStats', { path: [owner.projectId], query });
    expect(old.body.data).toMatchObject({ totalRecords: 0, averageQualityScore: null, averageDuration: null });
    expect(old.body.data.period).toEqual({ from: '2020-01-01T00:00:00.000Z', to: '2020-01-31T23:59:59.999Z' });
  });

  it('are made once by a key', async () => {
    const headers = { 'idempotency-key': 'k'.repeat(255) };
    const first = await s.request(owner, 'createProject', { json: { name: 'Once' }, headers });
    const again = await s.request(owner, 'createProject', { json: { name: 'Once' }, headers });
    expect([again.status, again.body, again.headers['idempotent-replayed']]).toEqual([201, first.body, 'true']);
    expect(again.headers['etag']).toBe(first.headers['etag']);
    expect((await s.request(owner, 'createProject', { json: { name: 'Two' }, headers })).status).toBe(409);
    const long = { 'idempotency-key': 'k'.repeat(256) };
    expect((await s.request(owner, 'createProject', { json: { name: 'Two' }, headers: long })).status).toBe(400);
  });
});

describe('profiles', () => {
  it.each(['service', 'sales', 'support', 'collections'])('are made of the template %s', async (template) => {
    const made = await s.request(owner, 'createProfile', { json: { name: `My ${template}`, template } });
    const { id, version } = made.body.data;
    expect([made.status, version]).toEqual([201, 1]);
    const renamed = await s.request(owner, 'updateProfile', { path: [id], json: { name: `Our ${template}` } });
    expect(renamed.body.data.version).toBe(1);
    const [category, ...others] = made.body.data.categories;
    const categories = [{ ...category, title: 'Beginning' }, ...others];
    const json = { categories, expectedVersion: 1 };
    const changed = await s.request(owner, 'updateProfile', { path: [id], json });
    expect([changed.body.data.version, changed.body.data.categories]).toEqual([2, categories]);
    const old = await s.request(owner, 'getProfile', { path: [id], query: 'version=1' });
    expect(old.body.data.categories).toEqual(made.body.data.categories);
    expect((await s.request(owner, 'updateProfile', { path: [id], json })).status).toBe(409);
    expect((await s.request(owner, 'getProfile', { path: [id], query: 'version=3' })).status).toBe(404);
    const preview = await s.request(owner, 'previewProfile', { path: [id], json: { recordId: call.id } });
    expect(preview.status).toBe(200);
    expect((await s.request(owner, 'deleteProfile', { path: [id] })).status).toBe(204);
  });

  it.each([
    ['nothing', {}],
    ['no category', { name: 'X', categories: [] }],
    ['another template', { name: 'X', template: 'none' }],
    ['a share above 1', { name: 'X', template: 'service', judgedShareMin: 1.1 }],
    ['a weight below 0', { name: 'X', categories: [{ key: 'a', title: 'A', weight: -1, checks: [] }] }],
    ['a language of 4 letters', { name: 'X', template: 'service', languages: ['engl'] }],
  ])('of %s are refused', async (_, json) => {
    expect((await s.request(owner, 'createProfile', { json })).status).toBe(400);
  });

  it('in use are kept', async () => {
    expect((await s.request(owner, 'deleteProfile', { path: [profileId] })).status).toBe(409);
  });
});

describe('alert rules', () => {
  it.each([
    ['a share above 1', { condition: { field: 'judgedShare', operator: 'lt', value: 60 } }],
    ['words as a score', { condition: { ...condition, value: 'low' } }],
    ['an operator that is none', { condition: { ...condition, operator: '<' } }],
    ['a field that is none', { condition: { ...condition, field: 'score' } }],
    ['a category of no profile', { condition: { ...condition, field: 'categories.nothing' } }],
    ['a status below', { condition: { field: 'complianceStatus', operator: 'lt', value: 'failed' } }],
    ['a status that is none', { condition: { field: 'complianceStatus', operator: 'eq', value: 'bad' } }],
    ['no condition', { condition: undefined }],
    ['three actions', { actions: ['email', 'webhook', 'email'] }],
    ['an action that is none', { actions: ['sms'] }],
    ['a recipient without a domain', { recipients: ['anna'] }],
    ['a pause below 0', { cooldownSeconds: -1 }],
    ['a pause above 30 days', { cooldownSeconds: 2_592_001 }],
    ['another severity', { severity: 'fatal' }],
  ])('with %s are refused', async (_, part) => {
    const { status, body } = await s.request(owner, 'createAlert', { json: { ...rule, ...part } });
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it.each(['qualityScore', 'duration', 'categories.greeting', 'nonTalkTimeMs', 'interruptions', 'needsReviewCount'])(
    'on %s take every operator',
    async (field) => {
      for (const operator of ['lt', 'lte', 'gt', 'gte', 'eq', 'neq']) {
        const json = { ...rule, condition: { field, operator, value: 1 }, enabled: false };
        const made = await s.request(owner, 'createAlert', { json });
        expect(made.body.data.condition).toEqual(json.condition);
        await s.request(owner, 'deleteAlert', { path: [made.body.data.id] });
      }
    },
  );

  it('are changed part by part', async () => {
    const made = await s.request(owner, 'createAlert', {
      json: { ...rule, severity: 'critical', cooldownSeconds: 2_592_000 },
    });
    const path = [made.body.data.id];
    const changed = await s.request(owner, 'updateAlert', { path, json: { enabled: false } });
    expect(changed.body.data).toMatchObject({ name: 'Low', enabled: false, severity: 'critical', triggerCount: 0 });
    expect((await s.request(owner, 'listAlerts', { query: 'enabled=false' })).body.data).toEqual([changed.body.data]);
    expect((await s.request(stranger, 'getAlert', { path })).status).toBe(404);
    expect((await s.request(owner, 'deleteAlert', { path })).status).toBe(204);
    expect((await s.request(owner, 'deleteAlert', { path })).status).toBe(404);
  });
});

describe('roles', () => {
  const json = { text: 'Well done' };
  const review = { verdict: 'approved' };
  const everybody = ['owner', 'admin', 'supervisor', 'reviewer', 'agent'] as const;
  const may: [string, string, unknown, number[]][] = [
    // Of the agent: nothing here is their own, so what they may do at all is 404 or empty.
    ['listRecords', '', undefined, [200, 200, 200, 200, 200]],
    ['getRecord', 'call', undefined, [200, 200, 200, 200, 404]],
    ['getRecordTranscript', 'call', undefined, [200, 200, 200, 200, 404]],
    ['getRecordAudio', 'call', undefined, [200, 200, 200, 200, 404]],
    ['getAnalysis', 'analysis', undefined, [200, 200, 200, 200, 404]],
    ['createAnnotation', 'analysis', json, [201, 201, 201, 201, 404]],
    ['submitReview', 'analysis', review, [201, 200, 200, 200, 403]],
    ['createProject', '', {}, [400, 400, 403, 403, 403]],
    ['updateProject', 'project', {}, [200, 200, 403, 403, 403]],
    ['deleteProject', 'project', undefined, [409, 409, 403, 403, 403]],
    ['listProfiles', '', undefined, [200, 200, 200, 200, 403]],
    ['createProfile', '', {}, [400, 400, 403, 403, 403]],
    ['listAlerts', '', undefined, [200, 200, 200, 200, 403]],
    ['createAlert', '', {}, [400, 400, 403, 403, 403]],
    ['listWebhooks', '', undefined, [200, 200, 200, 200, 403]],
    ['createWebhook', '', {}, [400, 400, 403, 403, 403]],
    ['listUsers', '', undefined, [200, 200, 200, 403, 403]],
    ['inviteUser', '', {}, [400, 400, 403, 403, 403]],
    ['getUsageSummary', 'org', undefined, [200, 200, 403, 403, 403]],
    ['getUsage', 'org', undefined, [200, 200, 403, 403, 403]],
    ['listCredits', 'org', undefined, [200, 200, 403, 403, 403]],
    ['updateBudget', 'org', {}, [200, 403, 403, 403, 403]],
    ['ingestRecord', '', {}, [400, 400, 400, 403, 403]],
    ['reanalyze', 'analysis', {}, [400, 400, 400, 403, 403]],
    ['search', '', undefined, [200, 200, 200, 200, 200]],
    ['getMe', '', undefined, [200, 200, 200, 200, 200]],
  ];
  const rows = may.flatMap(([operationId, place, body, statuses]) =>
    everybody.map((role, index) => ({ operationId, place, body, role, status: statuses[index] })),
  );
  it.each(rows)('$role, $operationId: $status', async ({ operationId, place, body, role, status }) => {
    const ids: Record<string, string> = {
      call: call.id,
      analysis: call.analysisId,
      project: owner.projectId,
      org: owner.orgId,
    };
    const ask = { path: [ids[place] ?? ''], query: operationId === 'search' ? 'q=a' : '', json: body };
    expect((await s.request(members[role], operationId, ask)).status).toBe(status);
  });

  it.each([...everybody])('%s is told who they are', async (role) => {
    const { body } = await s.request(members[role], 'getMe');
    expect(body.data.memberships).toEqual([expect.objectContaining({ role })]);
  });
});
