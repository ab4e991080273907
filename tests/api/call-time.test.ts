import { createTRPCClient, httpBatchLink } from '@trpc/client';
import superjson from 'superjson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppRouter } from '../../src/api/router.ts';
import { asAdmin } from '../pipeline/support/hosts.ts';
import { keepClearOf, minuteMs } from '../support/clock.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { pick, seededRandom } from '../support/random.ts';
import { seedAnalysis, seedRecords } from '../support/seed.ts';

const api = '/api/v1';
let t: TestApp;
let baseUrl: string;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  baseUrl = await t.listen();
});
afterAll(() => t.close());

const march = { from: '2026-03-01', to: '2026-03-31' };

async function totalOf(member: TestMember, query: Record<string, string>): Promise<number> {
  return (await t.as(member, { url: `${api}/records`, query })).body.meta.total;
}

async function statsOf(member: TestMember, query: Record<string, string>) {
  return (await t.as(member, { url: `${api}/projects/${member.projectId}/stats`, query })).body.data;
}

function overviewOf(member: TestMember, period: { from: string; to: string }) {
  const links = [httpBatchLink({ url: `${baseUrl}/api/trpc`, transformer: superjson, headers: member.headers })];
  return createTRPCClient<AppRouter>({ links }).overview.get.query(period);
}

/** Counters of days that differ from a count of the calls. */
function miscounted() {
  return asAdmin(
    t.deps.config.DATABASE_URL ?? '',
    (sql) => sql`
    with counted as (
      select org_id, project_id, (coalesce(started_at, created_at) at time zone 'UTC')::date as day,
             count(*) filter (where status = 'pending') as pending, count(*) filter (where status = 'completed') as completed,
             coalesce(sum(quality_score) filter (where status = 'completed'), 0) as score_sum
        from records group by 1, 2, 3
    )
    select coalesce(c.day, d.day) as day, c.completed, d.completed as kept
      from counted c full join record_days d using (org_id, project_id, day)
     where (coalesce(c.pending, 0), coalesce(c.completed, 0), coalesce(c.score_sum, 0))
           is distinct from (coalesce(d.pending, 0), coalesce(d.completed, 0), coalesce(d.score_sum, 0))`,
  );
}

describe('a call counts on the day it took place', () => {
  it('a backfill of last month changes last month', async () => {
    const owner = await t.createOrg();
    const agent = await t.addMember(owner, 'agent');
    const done = { status: 'completed' as const, durationSeconds: 60, qualityScore: 70, agentUserId: agent.userId };
    const backfilled = { ...done, startedAt: new Date('2026-03-10T08:00:00Z') };
    const ids = await seedRecords(t, owner, [backfilled, backfilled, done, { ...done, startedAt: null }]);
    for (const recordId of ids) await seedAnalysis(t, owner, { recordId, qualityScore: 70 });
    for (const member of [owner, agent]) {
      expect(await totalOf(member, march)).toBe(2);
      expect(await totalOf(member, { from: '2026-03-10T07:00:00Z', to: '2026-03-10T09:00:00Z' })).toBe(2);
      expect(await totalOf(member, { from: '2026-03-11', to: '2026-03-31' })).toBe(0);
      expect(await statsOf(member, march)).toMatchObject({
        totalRecords: 2,
        completedRecords: 2,
        averageQualityScore: 70,
      });
      expect(await statsOf(member, {})).toMatchObject({ totalRecords: 2 });
      const { totals, days, categories, worst } = await overviewOf(member, march);
      expect(totals).toMatchObject({ calls: 2, completed: 2, averageScore: 70 });
      expect(days.filter(({ calls }) => calls > 0)).toMatchObject([{ date: '2026-03-10', calls: 2 }]);
      expect(categories).toMatchObject([{ key: 'greeting', averageScore: 80 }]);
      expect(worst.map(({ callAt }) => callAt.toISOString())).toEqual([
        '2026-03-10T08:00:00.000Z',
        '2026-03-10T08:00:00.000Z',
      ]);
    }
  });

  it('shows when it took place, sorts by it, and filters by arrival where that is asked for', async () => {
    const owner = await t.createOrg();
    const [late, early, unknown] = await seedRecords(t, owner, [
      { startedAt: new Date('2026-03-03T10:00:00Z'), createdAt: new Date('2026-04-01T10:00:00Z') },
      { startedAt: new Date('2026-03-02T10:00:00Z'), createdAt: new Date('2026-04-02T10:00:00Z') },
      { createdAt: new Date('2026-03-02T12:00:00Z') },
    ]);
    const list = async (query: string): Promise<{ id: string; callAt: string }[]> =>
      (await t.as(owner, { url: `${api}/records?${query}` })).body.data;
    const idsOf = async (query: string) => (await list(query)).map(({ id }) => id);
    expect(await idsOf('sort=callAt')).toEqual([late, unknown, early]);
    expect(await idsOf('sort=callAt&order=asc')).toEqual([early, unknown, late]);
    expect(await idsOf('')).toEqual([early, late, unknown]);
    expect(await idsOf('receivedFrom=2026-04-01&receivedTo=2026-04-01')).toEqual([late]);
    expect(await idsOf('receivedTo=2026-03-31')).toEqual([unknown]);
    expect(await idsOf('from=2026-03-03&receivedFrom=2026-04-01T10:00Z')).toEqual([late]);
    expect((await list('sort=callAt')).map(({ callAt }) => callAt)).toEqual([
      '2026-03-03T10:00:00.000Z',
      '2026-03-02T12:00:00.000Z',
      '2026-03-02T10:00:00.000Z',
    ]);
    const refused = await t.as(owner, { url: `${api}/records?receivedFrom=2026-04-02&receivedTo=2026-04-01` });
    expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ path: 'receivedFrom' }] } } });
  });

  it('moves with a correction: lists, statistics, trends and what its analysis counts for', async () => {
    const owner = await t.createOrg();
    const call = { status: 'completed' as const, durationSeconds: 60, qualityScore: 40 };
    const [id = ''] = await seedRecords(t, owner, [{ ...call, createdAt: new Date('2026-04-05T10:00:00Z') }]);
    await seedAnalysis(t, owner, { recordId: id, qualityScore: 40 });
    const april = { from: '2026-04-01', to: '2026-04-30' };
    const seen = async (period: typeof april) => [
      await totalOf(owner, period),
      (await statsOf(owner, period)).totalRecords,
      (await overviewOf(owner, period)).totals.calls,
      (await overviewOf(owner, period)).categories.length,
    ];
    expect([await seen(march), await seen(april)]).toEqual([
      [0, 0, 0, 0],
      [1, 1, 1, 1],
    ]);
    const payload = { startedAt: '2026-03-20T10:00Z' };
    const { body } = await t.as(owner, { method: 'PATCH', url: `${api}/records/${id}`, payload });
    expect(body.data).toMatchObject({ startedAt: '2026-03-20T10:00:00.000Z', callAt: '2026-03-20T10:00:00.000Z' });
    expect([await seen(march), await seen(april)]).toEqual([
      [1, 1, 1, 1],
      [0, 0, 0, 0],
    ]);
    await t.as(owner, { method: 'PATCH', url: `${api}/records/${id}`, payload: { startedAt: null } });
    expect(await seen(april)).toEqual([1, 1, 1, 1]);
  });

  it('counters agree with the calls whatever is changed, and however much at once', async () => {
    const owner = await t.createOrg();
    const random = seededRandom(49);
    const day = () => new Date(Date.parse('2026-03-01T22:00:00Z') + Math.floor(random() * 6) * 14_400_000);
    const ids = await seedRecords(
      t,
      owner,
      Array.from({ length: 60 }, () => ({
        status: pick(random, ['pending', 'completed'] as const),
        qualityScore: pick(random, [null, 50, 90]),
        createdAt: day(),
        startedAt: pick(random, [null, day()]),
      })),
    );
    expect(await miscounted()).toEqual([]);
    await Promise.all(
      ids.slice(0, 20).map((id) => {
        const payload = { startedAt: pick(random, [null, day().toISOString()]), tags: ['moved'] };
        return t.as(owner, { method: 'PATCH', url: `${api}/records/${id}`, payload });
      }),
    );
    expect(await miscounted()).toEqual([]);
    await asAdmin(
      t.deps.config.DATABASE_URL ?? '',
      (sql) => sql`update records set status = 'completed', started_at = null where id = any(${ids.slice(10, 30)})`,
    );
    for (const id of ids.slice(25, 35)) await t.as(owner, { method: 'DELETE', url: `${api}/records/${id}` });
    expect(await miscounted()).toEqual([]);
  });
});

describe('statistics without a period', () => {
  it('are the same within a minute, so that a client may keep them', async () => {
    const owner = await t.createOrg();
    const url = `${api}/projects/${owner.projectId}/stats`;
    await keepClearOf(minuteMs, 10_000);
    const first = await t.as(owner, { url });
    const headers = { 'if-none-match': String(first.headers['etag']) };
    expect(await t.as(owner, { url, headers })).toMatchObject({ status: 304, body: '' });
    await seedRecords(t, owner, [{}]);
    const later = await t.as(owner, { url, headers });
    expect(later).toMatchObject({ status: 200, body: { data: { totalRecords: 1 } } });
    const { from, to } = later.body.data.period;
    expect(Date.parse(to) - Date.parse(from)).toBe(30 * 86_400_000);
    expect(Date.parse(to) - Date.now()).toBeLessThan(minuteMs);
  });
});
