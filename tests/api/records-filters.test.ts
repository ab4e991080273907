import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { recordFilters } from '../../src/domain/records/filters.ts';
import { newId } from '../../src/lib/ids.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { pick, seededRandom } from '../support/random.ts';
import { seedRecords } from '../support/seed.ts';

const dayMs = 86_400_000;
const firstDay = Date.parse('2026-03-02T00:00:00.000Z');
const random = seededRandom(20_260_302);
const portal = 'portal-a';

type Row = ReturnType<typeof randomRow>;

let t: TestApp;
let owner: TestMember;
let limited: TestMember;
let projects: [string, string];
let rows: Row[];
let number = 0;

function randomRow() {
  const day = firstDay + Math.floor(random() * 4) * dayMs;
  const createdAt = new Date(day + pick(random, [0, 1, 43_200_000, dayMs - 1]));
  const daysAfter = pick(random, [null, -1, 0, 1]);
  const startedAt = daysAfter === null ? null : new Date(createdAt.getTime() + daysAfter * dayMs);
  const entity = { entityType: pick(random, ['deal', 'contact']), entityId: pick(random, ['1', '2']) };
  return {
    id: newId('record'),
    projectId: pick(random, projects),
    status: pick(random, ['pending', 'processing', 'completed', 'failed'] as const),
    agentName: pick(random, [null, 'Ann', 'Ben']),
    agentUserId: pick(random, [null, 'usr_a', 'usr_b']),
    externalId: `call-${number++}`,
    tags: pick(random, [[], ['vip'], ['refund', 'vip'], ['late']]),
    complianceStatus: pick(random, [null, 'passed', 'failed'] as const),
    qualityScore: pick(random, [null, 0, 50, 100]),
    judgedShare: pick(random, [null, 0, 0.4, 0.823, 1]),
    reviewed: pick(random, [true, false]),
    crm: pick(random, [null, entity, { ...entity, portal: pick(random, [portal, 'portal-b']) }]),
    createdAt,
    startedAt,
  };
}

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
  const { body } = await t.as(owner, { method: 'POST', url: '/api/v1/projects', payload: { name: 'Second' } });
  projects = [owner.projectId, String(body.data.id)];
  limited = await t.addMember(owner, 'supervisor', [owner.projectId]);
  rows = Array.from({ length: 100 }, randomRow);
  await seedRecords(t, owner, rows);
});
afterAll(() => t.close());

type Case = { query: Record<string, string>; fits: (row: Row) => boolean };
type Name = keyof typeof recordFilters | 'from' | 'to';

const entityId = { query: { crmEntityId: '1' }, fits: ({ crm }: Row) => crm?.entityId === '1' };
const entityType = { query: { crmEntityType: 'deal' }, fits: ({ crm }: Row) => crm?.entityType === 'deal' };
const entity = together(entityId, entityType);
const noon = '2026-03-03T12:00:00.000Z';

/** A filter that is added has to be added here, too, or this does not compile. */
function cases(): Record<Name, Case> {
  return {
    projectId: { query: { projectId: owner.projectId }, fits: (row) => row.projectId === owner.projectId },
    status: { query: { status: 'completed' }, fits: (row) => row.status === 'completed' },
    agentName: { query: { agentName: 'Ann' }, fits: (row) => row.agentName === 'Ann' },
    agentNameContains: {
      query: { agentNameContains: 'N' },
      fits: ({ agentName }) => agentName?.toLowerCase().includes('n') ?? false,
    },
    agentId: { query: { agentId: 'usr_a' }, fits: (row) => row.agentUserId === 'usr_a' },
    externalId: { query: { externalId: 'call-7' }, fits: (row) => row.externalId === 'call-7' },
    tag: { query: { tag: 'refund' }, fits: ({ tags }) => tags.includes('refund') },
    complianceStatus: { query: { complianceStatus: 'failed' }, fits: (row) => row.complianceStatus === 'failed' },
    minScore: { query: { minScore: '50' }, fits: (row) => (row.qualityScore ?? -1) >= 50 },
    maxScore: { query: { maxScore: '50' }, fits: (row) => (row.qualityScore ?? 101) <= 50 },
    minJudgedShare: { query: { minJudgedShare: '0.4' }, fits: (row) => (row.judgedShare ?? -1) >= 0.4 },
    maxJudgedShare: { query: { maxJudgedShare: '0.823' }, fits: (row) => (row.judgedShare ?? 2) <= 0.823 },
    awaitsReview: {
      query: { awaitsReview: 'true' },
      fits: ({ status, reviewed, qualityScore, judgedShare }) =>
        status === 'completed' && !reviewed && qualityScore === null && judgedShare !== null,
    },
    reviewed: { query: { reviewed: 'true' }, fits: (row) => row.reviewed },
    // These are refused without each other.
    crmEntityType: entity,
    crmEntityId: entity,
    crmPortal: together(entity, {
      query: { crmPortal: portal },
      fits: ({ crm }) => crm !== null && (!('portal' in crm) || crm.portal === portal),
    }),
    from: { query: { from: noon }, fits: (row) => callAt(row) >= new Date(noon) },
    to: { query: { to: '2026-03-04' }, fits: (row) => callAt(row) < new Date('2026-03-05') },
    receivedFrom: { query: { receivedFrom: noon }, fits: ({ createdAt }) => createdAt >= new Date(noon) },
    receivedTo: {
      query: { receivedTo: '2026-03-04' },
      fits: ({ createdAt }) => createdAt < new Date('2026-03-05'),
    },
  };
}

function callAt({ startedAt, createdAt }: Row): Date {
  return startedAt ?? createdAt;
}

function together(one: Case, other: Case): Case {
  return { query: { ...one.query, ...other.query }, fits: (row) => one.fits(row) && other.fits(row) };
}

async function list(member: TestMember, query: Record<string, string>) {
  const { body } = await t.as(member, { url: '/api/v1/records', query: { ...query, pageSize: '100' } });
  const ids: string[] = body.data.map(({ id }: { id: string }) => id);
  return { ids: ids.toSorted(), total: body.meta.total as number };
}

async function expectExact({ query, fits }: Case): Promise<void> {
  const [all, some] = await Promise.all([list(owner, query), list(limited, query)]);
  const expected = rows.filter(fits);
  const seen = expected.filter(({ projectId }) => projectId === owner.projectId);
  expect({ query, ...all }).toEqual({ query, ids: idsOf(expected), total: expected.length });
  expect({ query, ...some }).toEqual({ query, ids: idsOf(seen), total: seen.length });
}

function idsOf(found: Row[]): string[] {
  return found.map(({ id }) => id).toSorted();
}

describe('the filters of records', () => {
  it('give as many rows as their total says, each alone', async () => {
    for (const one of Object.values(cases())) {
      expect(rows.filter(one.fits)).not.toHaveLength(0);
      await expectExact(one);
    }
  });

  it('give as many rows as their total says, in pairs', async () => {
    const all = Object.values(cases());
    const pairs = all.flatMap((one, at) => all.slice(at + 1).map((other) => together(one, other)));
    expect(pairs).toHaveLength((all.length * (all.length - 1)) / 2);
    for (const pair of pairs) await expectExact(pair);
  });

  it('give what any of several values gives, as one parameter or as several', async () => {
    const failedOrPending = ({ status }: Row) => status === 'failed' || status === 'pending';
    const several: Case[] = [
      { query: { status: 'failed,pending' }, fits: failedOrPending },
      { query: { status: 'failed,pending,failed' }, fits: failedOrPending },
      { query: { status: 'completed,failed', sort: 'qualityScore' }, fits: ({ status }) => /^[cf]/.test(status) },
      { query: { status: 'processing,pending', sort: 'duration' }, fits: ({ status }) => status.startsWith('p') },
      { query: { tag: 'late,refund' }, fits: ({ tags }) => tags.includes('late') || tags.includes('refund') },
      {
        query: { status: 'failed,pending', tag: 'vip,late', from: '2026-03-03' },
        fits: (row) =>
          failedOrPending(row) &&
          row.tags.some((tag) => tag === 'vip' || tag === 'late') &&
          callAt(row) >= new Date('2026-03-03'),
      },
    ];
    for (const one of several) {
      expect(rows.filter(one.fits)).not.toHaveLength(0);
      await expectExact(one);
    }
    const { body } = await t.as(owner, { url: '/api/v1/records?status=failed&status=pending&pageSize=100' });
    expect(body.meta.total).toBe(rows.filter(failedOrPending).length);
  });

  it('refuse a value among several that means nothing, by its place', async () => {
    for (const [query, path] of [
      ['status=failed,done', 'status.1'],
      ['status=', 'status.0'],
      ['tag=,vip', 'tag.0'],
      [`tag=${Array.from({ length: 21 }, (_, at) => `t${at}`).join()}`, 'tag'],
    ]) {
      const { status, body } = await t.as(owner, { url: `/api/v1/records?${query}` });
      expect({ query, status, path: body.error?.details?.[0]?.path }).toEqual({ query, status: 400, path });
    }
  });
});
