import { afterAll, beforeAll, expect, it } from 'vitest';
import { newRecordId } from '../../src/domain/records/service.ts';
import { createRecord } from '../../src/domain/intake/service.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { pick, seededRandom } from '../support/random.ts';
import { suppliedTranscript } from './support/calls.ts';
import { eventually } from './support/hosts.ts';

const callCount = 40;
const workerCount = 6;
const turns = 25;
const random = seededRandom(11);

let t: TestApp;
let owner: TestMember;

beforeAll(async () => {
  t = await createTestApp({ env: { LOG_LEVEL: 'silent', PRICE_ANALYSIS_PER_RECORD: '0.1' } });
  owner = await t.createOrg();
});
afterAll(() => t.close());

const send = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) =>
  t.as(owner, { method, url: `/api/v1${path}`, ...(payload && { payload }) });
const create = async (path: string, payload: object): Promise<string> =>
  (await send('POST', path, payload)).body.data.id;

type World = { records: string[]; rules: string[]; projects: string[]; strict: string };

async function build(): Promise<World> {
  await send('PATCH', `/billing/budget/${owner.orgId}`, { budgetLimit: 10_000 });
  const check = { key: 'magic.word', title: 'Magic word', weight: 1, kind: 'phrase', phrases: ['abracadabra'] };
  const categories = [{ key: 'magic', title: 'Magic', weight: 1, checks: [check] }];
  const strict = await create('/profiles', { name: 'Strict', categories, compliance: [] });
  const projects = [
    owner.projectId,
    await create('/projects', { name: 'A' }),
    await create('/projects', { name: 'B' }),
  ];
  const condition = { field: 'qualityScore', operator: 'gte', value: 0 };
  const rules: string[] = [];
  for (let n = 0; n < 6; n += 1) {
    const projectId = n % 2 ? null : projects[n % 3];
    rules.push(await create('/alerts', { name: `Rule ${n}`, projectId, condition, cooldownSeconds: n % 3 }));
  }
  const records: string[] = [];
  for (let n = 0; n < callCount; n += 1) {
    const id = newRecordId();
    records.push(id);
    await t.deps.services.db.withOrg(owner.orgId, (tx) =>
      createRecord(tx, { id, projectId: projects[n % 3] ?? '', source: 'upload' }, suppliedTranscript(id)),
    );
  }
  return { records, rules, projects, strict };
}

const anyOf = ([first = '', ...rest]: string[]): string => pick(random, [first, ...rest]);

/** One thing that somebody does to a call or a rule. */
async function act({ records, rules, projects, strict }: World): Promise<number> {
  const recordId = anyOf(records);
  const { analysisId } = (await send('GET', `/records/${recordId}`)).body.data ?? {};
  const action = pick(random, ['review', 'review', 're-analyze', 'dispute', 'rule', 'delete'] as const);
  if (action === 'rule') {
    const changes = { enabled: random() < 0.7, projectId: pick(random, [null, ...projects.slice(0, 2)]) };
    return (await send('PATCH', `/alerts/${anyOf(rules)}`, changes)).status;
  }
  if (action === 'delete' && random() < 0.3) return (await send('DELETE', `/records/${recordId}`)).status;
  if (!analysisId) return 0;
  if (action === 're-analyze') {
    const payload = { profileId: strict, replaceReview: random() < 0.7 };
    return (await send('POST', `/analyses/${analysisId}/re-analyze`, payload)).status;
  }
  if (action === 'dispute')
    return (await send('POST', `/analyses/${analysisId}/review/dispute`, { comment: 'x' })).status;
  const verdict = pick<object>(random, [
    { verdict: 'approved' },
    { verdict: 'rejected', comment: 'x' },
    { verdict: 'adjusted', categories: {}, complianceStatus: 'failed', comment: 'x' },
  ]);
  return (await send('POST', `/analyses/${analysisId}/review`, verdict)).status;
}

it('calls that are published, reviewed, re-analysed, billed, watched and deleted at once end consistent', async () => {
  const world = await build();
  const statuses = new Set<number>();
  const work = async (): Promise<void> => {
    for (let turn = 0; turn < turns; turn += 1) statuses.add(await act(world));
  };
  await Promise.all(Array.from({ length: workerCount }, work));
  statuses.add((await send('DELETE', `/projects/${world.projects[2]}?force=true`)).status);
  expect([...statuses].filter((status) => ![0, 200, 201, 202, 204, 404, 409].includes(status))).toEqual([]);
  const { system } = t.deps.connections;
  await eventually(async () => {
    const [row] = await system`
      select (select count(*) from engine_runs where status = 'running') + (select count(*) from outbox where dispatched_at is null) as open`;
    return row?.['open'] === '0' || undefined;
  });
  expect(await system`select function_id, error from engine_runs where status = 'failed'`).toEqual([]);
  const [found] = await t.deps.services.db.withOrg(owner.orgId, (tx) =>
    tx.execute(`select
      (select count(*)::int from records r where status <> 'completed') as unfinished,
      (select count(*)::int from analyses where status in ('pending', 'processing')) as open,
      (select count(*)::int from records r join analyses a on a.org_id = r.org_id and a.id = r.analysis_id
        where not a.current or r.quality_score is distinct from a.shown_quality_score
           or r.compliance_status is distinct from a.shown_compliance_status) as stale,
      (select sum(score_sum) from record_days) = (select sum(quality_score) from records) as "isCounted",
      (select sum(trigger_count) from alerts) >= (select count(*) from alert_events) as "isListed",
      (select sum(trigger_count) from alerts) <= (select count(*) from outbox where type = 'alert.triggered') as "isTold",
      (select count(*) > 0 from alert_events) as "hasFired"`),
  );
  expect(found).toEqual({
    unfinished: 0,
    open: 0,
    stale: 0,
    isCounted: true,
    isListed: true,
    isTold: true,
    hasFired: true,
  });
});
