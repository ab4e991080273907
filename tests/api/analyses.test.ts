import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginProcessing, publishAnalysis } from '../../src/domain/processing/service.ts';
import { newId } from '../../src/lib/ids.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { pick, seededRandom } from '../support/random.ts';
import { seedAnalysis, seedRecords } from '../support/seed.ts';

const api = '/api/v1';
const dayMs = 86_400_000;
const random = seededRandom(7);
const verdicts = ['passed', 'failed', 'needs_review', 'not_applicable'] as const;
const agents = ['Dana', 'Robin', 'Æsa Þór'] as const;

type Row = {
  id: string;
  recordId: string;
  projectId: string;
  version: number;
  current: boolean;
  status: 'completed' | 'failed';
  qualityScore: number | null;
  complianceStatus: (typeof verdicts)[number] | null;
  createdAt: Date;
  agentName: string;
};

let t: TestApp;
let owner: TestMember;
let projects: [string, string];
let rows: Row[];

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
  const second = await t.as(owner, { method: 'POST', url: `${api}/projects`, payload: { name: 'Second' } });
  projects = [owner.projectId, second.body.data.id];
  const records = Array.from({ length: 60 }, () => ({
    id: newId('record'),
    projectId: pick(random, projects),
    agentName: pick(random, agents),
    status: 'completed' as const,
  }));
  await seedRecords(t, owner, records);
  rows = records.flatMap(({ id: recordId, projectId, agentName }) => {
    const versions = 1 + Math.floor(random() * 3);
    return Array.from({ length: versions }, (_, index) => ({
      id: newId('analysis'),
      recordId,
      projectId,
      agentName,
      version: index + 1,
      current: index + 1 === versions,
      status: pick(random, ['completed', 'completed', 'failed'] as const),
      qualityScore: pick(random, [null, 40, 50, 50, Math.floor(random() * 101)]),
      complianceStatus: pick(random, [null, ...verdicts]),
      createdAt: new Date(
        Date.parse('2026-03-01') + Math.floor(random() * 4) * dayMs + pick(random, [0, 1, dayMs - 1]),
      ),
    }));
  });
  for (const { agentName: _agentName, ...row } of rows) await seedAnalysis(t, owner, row);
});
afterAll(() => t.close());

type Query = Record<string, string>;

/** What the documentation says of the query, done the slow way. */
function expected(query: Query): string[] {
  const { sort = 'createdAt', order = 'desc', from, to, minScore, maxScore } = query;
  const start = from === undefined ? -Infinity : Date.parse(from);
  const end = to === undefined ? Infinity : Date.parse(to) + (to.length === 10 ? dayMs - 1 : 0);
  const sign = order === 'asc' ? 1 : -1;
  const value = (row: Row): number | null => (sort === 'createdAt' ? row.createdAt.getTime() : row.qualityScore);
  const equal = (['projectId', 'recordId', 'agentName', 'complianceStatus', 'status'] as const).filter(
    (key) => query[key] !== undefined,
  );
  return rows
    .filter(
      (row) =>
        (row.current || query['versions'] === 'all') &&
        equal.every((key) => row[key] === query[key]) &&
        (minScore === undefined || (row.qualityScore !== null && row.qualityScore >= Number(minScore))) &&
        (maxScore === undefined || (row.qualityScore !== null && row.qualityScore <= Number(maxScore))) &&
        row.createdAt.getTime() >= start &&
        row.createdAt.getTime() <= end,
    )
    .sort((a, b) => {
      const [left, right] = [value(a), value(b)];
      if (left === right) return sign * (a.id < b.id ? -1 : 1);
      if (left === null) return 1;
      if (right === null) return -1;
      return sign * (left - right);
    })
    .map(({ id }) => id);
}

function randomQuery(): Query {
  const query: Query = {
    sort: pick(random, ['createdAt', 'qualityScore']),
    order: pick(random, ['asc', 'desc']),
    versions: pick(random, ['current', 'all']),
  };
  const maybe = (key: string, value: string): void => {
    if (random() < 0.25) query[key] = value;
  };
  maybe('projectId', pick(random, projects));
  maybe('recordId', rows[Math.floor(random() * rows.length)]?.recordId ?? '');
  maybe('agentName', pick(random, [...agents, 'Nobody']));
  maybe('complianceStatus', pick(random, verdicts));
  maybe('status', pick(random, ['completed', 'failed', 'pending']));
  maybe('minScore', String(pick(random, [0, 40, 50])));
  maybe('maxScore', String(pick(random, [50, 80, 100])));
  maybe('from', pick(random, ['2026-03-02', '2026-03-02T00:00:00.001Z', '2026-03-01T23:59:59.999Z']));
  maybe('to', pick(random, ['2026-03-03', '2026-03-03T00:00:00Z', '2026-03-04']));
  return query;
}

describe('GET /analyses', () => {
  it('finds, orders and counts exactly what the slow way does, for two hundred random queries', async () => {
    let nonEmpty = 0;
    for (let round = 0; round < 200; round += 1) {
      const query = randomQuery();
      const { status, body } = await t.as(owner, { url: `${api}/analyses`, query: { ...query, pageSize: '100' } });
      const ids = expected(query);
      nonEmpty += ids.length > 0 ? 1 : 0;
      expect({ query, status, total: body.meta?.total }).toEqual({ query, status: 200, total: ids.length });
      expect(body.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 100));
    }
    expect(nonEmpty).toBeGreaterThan(50);
  });

  it('shows current versions, newest first, unless told otherwise', async () => {
    const { body } = await t.as(owner, { url: `${api}/analyses?pageSize=100` });
    expect(body.meta.total).toBe(60);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(expected({}));
  });

  it.each([
    'minScore=-1',
    'maxScore=101',
    'minScore=50.5',
    'minScore=80&maxScore=20',
    'complianceStatus=ok',
    'status=done',
    'reviewed=yes',
    'versions=old',
    'sort=duration',
    'from=2026-03-02&to=2026-03-01',
  ])('refuses %s', async (query) => {
    const answer = await t.as(owner, { url: `${api}/analyses?${query}` });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
    expect(answer.body.error.details[0].path).toBe(query.split('=')[0]);
  });
});

describe('GET /analyses/:id', () => {
  it('gives the fields of the specification, and what explains them', async () => {
    const org = await t.createOrg();
    const [recordId = ''] = await seedRecords(t, org, [{ status: 'completed', agentName: 'Dana' }]);
    const judged = { judgedShare: 0.823, needsReviewCount: 2 };
    const id = await seedAnalysis(t, org, { recordId, ...judged, improvements: ['Greet.'], topics: ['refund'] });
    const { body } = await t.as(org, { url: `${api}/analyses/${id}` });
    expect(body.data).toEqual({
      id,
      recordId,
      projectId: org.projectId,
      qualityScore: 80,
      judgedShare: 0.823,
      needsReviewCount: 2,
      summary: 'The agent greeted the customer.',
      improvements: ['Greet.'],
      complianceStatus: 'passed',
      categories: { greeting: 80 },
      version: 1,
      current: true,
      status: 'completed',
      profile: { id: expect.stringMatching(/^prf_/), name: 'Standard service call', version: 1 },
      engine: { kind: 'rules', model: null, fallback: null },
      modelUsage: null,
      agentName: 'Dana',
      reviewed: false,
      createdAt: expect.stringMatching(/Z$/),
      automatic: {
        qualityScore: 80,
        judgedShare: 0.823,
        needsReviewCount: 2,
        categories: { greeting: 80 },
        complianceStatus: 'passed',
      },
      checks: [],
      complianceFindings: [],
      metrics: null,
      topics: ['refund'],
      actionItems: [],
      segments: [expect.objectContaining({ text: 'Hello.', role: 'agent' })],
      failure: null,
      reason: null,
      completedAt: null,
    });
  });

  it('keeps categories in the order in which they were written', async () => {
    const org = await t.createOrg();
    const [recordId = ''] = await seedRecords(t, org, [{ status: 'completed' }]);
    const id = await seedAnalysis(t, org, { recordId, categories: { zeta: 1, alpha: null, 'm-1': 3 } });
    const { body } = await t.as(org, { url: `${api}/analyses/${id}` });
    expect(Object.entries(body.data.categories)).toEqual([
      ['zeta', 1],
      ['alpha', null],
      ['m-1', 3],
    ]);
  });

  it('reads superseded versions as well', async () => {
    const old = rows.find(({ current }) => !current);
    const { body } = await t.as(owner, { url: `${api}/analyses/${old?.id}` });
    expect(body.data).toMatchObject({ id: old?.id, version: old?.version, current: false });
  });
});

describe('a further analysis of a record', () => {
  it('takes the next number and becomes the one that counts; the one before stays as it was', async () => {
    const org = await t.createOrg();
    const [recordId = ''] = await seedRecords(t, org, [{ status: 'pending' }]);
    const first = await seedAnalysis(t, org, { recordId });
    const pass = { recordId, attempt: 1 };
    const [profile] = await t.deps.services.db.withOrg(org.orgId, (tx) =>
      tx.execute<{ id: string; name: string }>('select id, name from profiles'),
    );
    const published = await t.deps.services.db.withOrg(org.orgId, async (tx) => {
      await beginProcessing(tx, pass);
      return publishAnalysis(tx, pass, {
        scorecard: {
          qualityScore: 30,
          judgedShare: 1,
          needsReviewCount: 0,
          categories: { greeting: 30 },
          complianceStatus: 'failed',
          summary: 'Worse.',
          improvements: [],
          checks: [],
          complianceFindings: [],
          metrics: {
            talkTimeMs: { agent: 0, customer: 0 },
            talkRatio: null,
            nonTalkTimeMs: 0,
            longestMonologueMs: 0,
            interruptions: { agent: 0, customer: 0 },
            wordsPerMinute: { agent: null, customer: null },
            sentiment: { agent: null, customer: null, overall: null },
          },
          topics: [],
          actionItems: [],
        },
        scoredBy: {
          profile: { id: profile?.id ?? '', name: profile?.name ?? '', version: 1 },
          engine: { kind: 'rules', model: null, fallback: null },
          tokens: null,
          transcriptVersion: 1,
          redaction: 'none',
          transcriptSource: 'supplied',
          durationMs: 1_000,
        },
        prices: t.deps.services.prices,
      });
    });
    const all = await t.as(org, { url: `${api}/analyses?versions=all&sort=createdAt&order=asc` });
    expect(all.body.data.map(({ id, version, current }: Row) => [id, version, current])).toEqual([
      [first, 1, false],
      [published?.analysisId, 2, true],
    ]);
    const record = await t.as(org, { url: `${api}/records/${recordId}` });
    expect(record.body.data).toMatchObject({
      status: 'completed',
      analysisId: published?.analysisId,
      qualityScore: 30,
      complianceStatus: 'failed',
    });
  });
});
