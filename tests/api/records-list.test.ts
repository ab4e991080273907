import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { pick, seededRandom } from '../support/random.ts';
import { seedRecords } from '../support/seed.ts';

const api = '/api/v1';
const dayMs = 86_400_000;
const firstDay = Date.parse('2026-02-26T00:00:00.000Z');
const random = seededRandom(20_260_226);
const statuses = ['pending', 'processing', 'completed', 'failed'] as const;

type Row = {
  id: string;
  projectId: string;
  status: (typeof statuses)[number];
  durationSeconds: number | null;
  qualityScore: number | null;
  judgedShare: number | null;
  createdAt: Date;
  uploadedBy: string | null;
  agentName: string | null;
  complianceStatus: 'passed' | 'failed' | null;
  reviewed: boolean;
};

let t: TestApp;
let owner: TestMember;
let limited: TestMember;
let agent: TestMember;
let projects: [string, string, string];
let rows: Row[];

/** Days have few rows, many of them at their very ends, and many of the same age, length and score. */
function randomRow(): Row {
  const day = firstDay + Math.floor(random() * 6) * dayMs;
  const offset = pick(random, [0, 1, dayMs - 1, 43_200_000, 43_200_000, Math.floor(random() * dayMs)]);
  return {
    id: newId('record'),
    projectId: pick(random, projects),
    status: pick(random, statuses),
    durationSeconds: pick(random, [null, 0, 30, 60, Math.floor(random() * 600)]),
    qualityScore: pick(random, [null, 0, 50, 100, Math.floor(random() * 101)]),
    judgedShare: pick(random, [null, 0, 0.6, 1, Math.floor(random() * 1001) / 1000]),
    createdAt: new Date(day + offset),
    uploadedBy: pick(random, [null, agent.userId]),
    agentName: pick(random, [null, 'Ann', 'Ben']),
    complianceStatus: pick(random, [null, 'passed', 'failed']),
    reviewed: pick(random, [true, false]),
  };
}

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
  const others = await Promise.all(
    ['Second', 'Third'].map((name) => t.as(owner, { method: 'POST', url: `${api}/projects`, payload: { name } })),
  );
  const [second, third] = others.map(({ body }) => String(body.data.id));
  projects = [owner.projectId, second ?? '', third ?? ''];
  limited = await t.addMember(owner, 'supervisor', [projects[0], projects[1]]);
  agent = await t.addMember(owner, 'agent', [projects[0], projects[2]]);
  rows = Array.from({ length: 400 }, randomRow);
  await seedRecords(t, owner, rows);
  // Rows change after they are made, and their counters with them.
  await t.deps.services.db.withOrg(owner.orgId, (tx) =>
    tx.execute(
      "update records set status = 'completed', duration_seconds = 61 where status = 'processing' and duration_seconds = 60",
    ),
  );
  for (const row of rows) {
    if (row.status === 'processing' && row.durationSeconds === 60) {
      Object.assign(row, { status: 'completed', durationSeconds: 61 });
    }
  }
  const gone = rows.splice(0, 40);
  await t.deps.services.db.withOrg(owner.orgId, (tx) =>
    tx.execute(`delete from records where id in (${gone.map(({ id }) => `'${id}'`).join(', ')})`),
  );
});
afterAll(() => t.close());

type Query = Record<string, string>;
type Viewer = { member: TestMember; sees: (row: Row) => boolean };

function viewers(): [Viewer, ...Viewer[]] {
  return [
    { member: owner, sees: () => true },
    { member: limited, sees: ({ projectId }) => projectId !== projects[2] },
    { member: agent, sees: ({ projectId, uploadedBy }) => projectId !== projects[1] && uploadedBy === agent.userId },
  ];
}

/** What the documentation says of the query, done the slow way. */
function expected(
  { projectId, status, from, to, sort = 'createdAt', order = 'desc', ...results }: Query,
  sees: Viewer['sees'],
): string[] {
  const start = from === undefined ? -Infinity : Date.parse(from);
  const isBareEnd = to !== undefined && /^\d{4}-\d\d-\d\d$/.test(to);
  const end = to === undefined ? Infinity : Date.parse(to) + (isBareEnd ? dayMs - 1 : 0);
  const value = (row: Row): number | null => {
    if (sort === 'createdAt') return row.createdAt.getTime();
    if (sort === 'judgedShare') return row.judgedShare;
    return sort === 'duration' ? row.durationSeconds : row.qualityScore;
  };
  const sign = order === 'asc' ? 1 : -1;
  return rows
    .filter(
      (row) =>
        sees(row) &&
        (projectId === undefined || row.projectId === projectId) &&
        (status === undefined || row.status === status) &&
        (results['agentName'] === undefined || row.agentName === results['agentName']) &&
        (results['complianceStatus'] === undefined || row.complianceStatus === results['complianceStatus']) &&
        (results['reviewed'] === undefined || row.reviewed === (results['reviewed'] === 'true')) &&
        (results['minScore'] === undefined || (row.qualityScore ?? -1) >= Number(results['minScore'])) &&
        (results['maxScore'] === undefined || (row.qualityScore ?? 101) <= Number(results['maxScore'])) &&
        row.createdAt.getTime() >= start &&
        row.createdAt.getTime() <= end,
    )
    .sort((a, b) => {
      const [left, right] = [value(a), value(b)];
      // Nulls come last in both directions; the id breaks every tie.
      if (left === right) return sign * (a.id < b.id ? -1 : 1);
      if (left === null) return 1;
      if (right === null) return -1;
      return sign * (left - right);
    })
    .map(({ id }) => id);
}

function randomTime(): string {
  const day = firstDay + Math.floor(random() * 8 - 1) * dayMs;
  const offset = pick(random, [0, 1, -1, dayMs - 1, 43_200_000, Math.floor(random() * dayMs)]);
  const date = new Date(day + offset);
  return pick(random, [date.toISOString(), date.toISOString().slice(0, 10), date.toISOString().replace('Z', '+00:00')]);
}

function randomQuery(): Query {
  const query: Query = {
    sort: pick(random, ['createdAt', 'duration', 'qualityScore', 'judgedShare']),
    order: pick(random, ['asc', 'desc']),
  };
  if (random() < 0.4) query['projectId'] = pick(random, [...projects, 'prj_unknown']);
  if (random() < 0.4) query['status'] = pick(random, statuses);
  if (random() < 0.2) query['agentName'] = pick(random, ['Ann', 'Ben', 'Nobody']);
  if (random() < 0.2) query['complianceStatus'] = pick(random, ['passed', 'failed']);
  if (random() < 0.2) query['reviewed'] = pick(random, ['true', 'false']);
  if (random() < 0.2) query['minScore'] = pick(random, ['0', '50']);
  if (random() < 0.2) query['maxScore'] = pick(random, ['50', '100']);
  if (random() < 0.6) query['from'] = randomTime();
  if (random() < 0.6) query['to'] = randomTime();
  return query;
}

describe('GET /records', () => {
  it('finds, orders and counts exactly what the slow way does, for two hundred random queries', async () => {
    let nonEmpty = 0;
    for (let round = 0; round < 200; round += 1) {
      const { member, sees } = pick(random, viewers());
      const query = randomQuery();
      const answer = await t.as(member, { url: `${api}/records`, query: { ...query, pageSize: '100' } });
      const isReversed =
        query['from'] !== undefined &&
        query['to'] !== undefined &&
        Date.parse(query['from']) > Date.parse(query['to']) + (query['to'].length === 10 ? dayMs - 1 : 0);
      expect(answer.status).toBe(isReversed ? 400 : 200);
      if (isReversed) continue;
      const ids = expected(query, sees);
      nonEmpty += ids.length > 0 ? 1 : 0;
      expect({ query, total: answer.body.meta?.total }).toEqual({ query, total: ids.length });
      expect(answer.body.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 100));
    }
    expect(nonEmpty).toBeGreaterThan(80);
  });

  it('refuses scores the wrong way round', async () => {
    const { status, body } = await t.as(owner, { url: `${api}/records?minScore=60&maxScore=50` });
    expect([status, body.error.details[0].path]).toEqual([400, 'minScore']);
  });

  it.each(['createdAt', 'duration', 'qualityScore', 'judgedShare'])(
    'sorted by %s gives every record once over its pages',
    async (sort) => {
      for (const order of ['asc', 'desc']) {
        const seen: string[] = [];
        for (let page = 1; page <= 14; page += 1) {
          const { body } = await t.as(owner, {
            url: `${api}/records?sort=${sort}&order=${order}&page=${page}&pageSize=30`,
          });
          expect(body.meta).toMatchObject({ page, pageSize: 30, total: rows.length });
          seen.push(...body.data.map(({ id }: { id: string }) => id));
        }
        expect(seen).toEqual(expected({ sort, order }, () => true));
      }
    },
  );

  it('is sorted by creation, newest first, unless told otherwise', async () => {
    const { body } = await t.as(owner, { url: `${api}/records?pageSize=100` });
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(expected({}, () => true).slice(0, 100));
  });

  it('takes a bare date as the whole day at either end, and a time as that very millisecond', async () => {
    const org = await t.createOrg();
    const times = [
      '2026-03-09T23:59:59.999Z',
      '2026-03-10T00:00:00.000Z',
      '2026-03-10T23:59:59.999Z',
      '2026-03-11T00:00:00.000Z',
    ];
    await seedRecords(
      t,
      org,
      times.map((time) => ({ createdAt: new Date(time) })),
    );
    const found = async (query: string): Promise<string[]> => {
      const { body } = await t.as(org, { url: `${api}/records?order=asc&${query}` });
      expect(body.meta.total).toBe(body.data.length);
      return body.data.map(({ createdAt }: { createdAt: string }) => createdAt);
    };
    expect(await found('from=2026-03-10&to=2026-03-10')).toEqual(times.slice(1, 3));
    expect(await found('from=2026-03-10')).toEqual(times.slice(1));
    expect(await found('to=2026-03-10')).toEqual(times.slice(0, 3));
    expect(await found('to=2026-03-10T00:00:00Z')).toEqual(times.slice(0, 2));
    expect(await found('from=2026-03-10T23:59:59.999Z&to=2026-03-10T23:59:59.999Z')).toEqual(times.slice(2, 3));
    expect(await found('from=2026-03-11T01:00:00%2B01:00')).toEqual(times.slice(3));
    expect(await found('from=2026-03-09T23:59:59.9990Z&to=2026-03-11T00:00:00.000Z')).toEqual(times);
  });

  it('gives the fields of the specification, and of phone numbers the ends', async () => {
    const org = await t.createOrg();
    await seedRecords(t, org, [
      {
        status: 'completed',
        durationSeconds: 61,
        qualityScore: 88,
        judgedShare: 0.823,
        needsReviewCount: 2,
        complianceStatus: 'passed',
        agentName: 'Dana',
        customerPhone: '+14155550123',
        createdAt: new Date('2026-03-10T10:00:00.123Z'),
        completedAt: new Date('2026-03-10T10:01:00.000Z'),
      },
    ]);
    const { body } = await t.as(org, { url: `${api}/records` });
    expect(body).toEqual({
      data: [
        {
          id: expect.stringMatching(/^rec_/),
          projectId: org.projectId,
          type: 'call',
          status: 'completed',
          duration: 61,
          qualityScore: 88,
          judgedShare: 0.823,
          needsReviewCount: 2,
          complianceStatus: 'passed',
          externalId: null,
          agentName: 'Dana',
          customerPhone: '+1******0123',
          callAt: '2026-03-10T10:00:00.123Z',
          createdAt: '2026-03-10T10:00:00.123Z',
          completedAt: '2026-03-10T10:01:00.000Z',
        },
      ],
      meta: { page: 1, pageSize: 20, total: 1, nextCursor: null },
    });
  });
});

function awaits({ qualityScore, judgedShare, reviewed }: Row): boolean {
  return qualityScore === null && judgedShare !== null && !reviewed;
}

function meanShare(shares: number[]): number | null {
  const sum = shares.reduce((total, share) => total + Math.round(share * 1000), 0);
  return shares.length === 0 ? null : Math.round(sum / shares.length) / 1000;
}

describe('GET /projects/:id/stats', () => {
  it('equals the slow way, for a hundred random periods that begin and end anywhere in a day', async () => {
    for (let round = 0; round < 100; round += 1) {
      const { member, sees } = pick(random, viewers());
      const projectId = pick(random, projects);
      const [from, to] = [randomTime(), randomTime()];
      const end = Date.parse(to) + (to.length === 10 ? dayMs - 1 : 0);
      if (Date.parse(from) > end) continue;
      const answer = await t.as(member, { url: `${api}/projects/${projectId}/stats`, query: { from, to } });
      const isAllowed = member === owner || projectId !== (member === limited ? projects[2] : projects[1]);
      expect(answer.status).toBe(isAllowed ? 200 : 404);
      if (!isAllowed) continue;
      const counted = new Set(expected({ projectId, from, to }, sees));
      const inPeriod = rows.filter(({ id }) => counted.has(id));
      const done = inPeriod.filter(({ status }) => status === 'completed');
      expect({ from, to, ...answer.body.data }).toEqual({
        projectId,
        totalRecords: inPeriod.length,
        completedRecords: done.length,
        averageQualityScore: mean(done.map(({ qualityScore }) => qualityScore)),
        averageDuration: mean(done.map(({ durationSeconds }) => durationSeconds)),
        averageJudgedShare: meanShare(done.flatMap(({ judgedShare }) => judgedShare ?? [])),
        awaitingReview: done.filter(awaits).length,
        period: { from: new Date(from).toISOString(), to: new Date(end).toISOString() },
        from,
        to,
      });
    }
  });

  it('counts the same for a project as its records do', async () => {
    const listed = await t.as(owner, { url: `${api}/projects` });
    const counts = listed.body.data.map(({ id, recordCount }: { id: string; recordCount: number }) => [
      id,
      recordCount,
    ]);
    expect(Object.fromEntries(counts)).toEqual(
      Object.fromEntries(projects.map((id) => [id, rows.filter(({ projectId }) => projectId === id).length])),
    );
  });
});

function mean(values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  const sum = known.reduce((total, value) => total + value, 0);
  return Math.round((sum / known.length) * 100) / 100;
}
