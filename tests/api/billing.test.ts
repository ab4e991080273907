import { createTRPCClient, httpBatchLink } from '@trpc/client';
import superjson from 'superjson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chargeAnalysis, chargeRecord } from '../../src/domain/billing/metering.ts';
import { GrantCreditsInput } from '../../src/domain/billing/schemas.ts';
import { grantCredits } from '../../src/domain/billing/service.ts';
import { newRecordId } from '../../src/domain/records/service.ts';
import { createRecord } from '../../src/domain/intake/service.ts';
import type { AppRouter } from '../../src/api/router.ts';
import { suppliedTranscript } from '../pipeline/support/calls.ts';
import { eventually } from '../pipeline/support/hosts.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { dayMs, keepClearOf, minuteMs } from '../support/clock.ts';
import { readBooks, readSummary, setBudget, uploadCall } from './billing-support.ts';

const env = { PRICE_TRANSCRIPTION_PER_MINUTE: '0.0043', PRICE_ANALYSIS_PER_RECORD: '0.0125', DATABASE_POOL_SIZE: '16' };
await keepClearOf(dayMs, minuteMs);
const today = new Date().toISOString().slice(0, 10);

let t: TestApp;
let owner: TestMember;

beforeAll(async () => {
  t = await createTestApp({ env });
});
afterAll(() => t.close());

async function completed(id: string, member = owner) {
  return eventually(async () => {
    const { body } = await t.as(member, { url: `/api/v1/records/${id}` });
    return body.data.status === 'completed' ? body.data : undefined;
  });
}

const usage = async (query = '', member = owner) =>
  (await t.as(member, { url: `/api/v1/billing/usage/${member.orgId}${query}` })).body.data;
const credits = async (query = '', member = owner) =>
  (await t.as(member, { url: `/api/v1/billing/credits/${member.orgId}${query}` })).body;

const grant = (amount: string, further: object = {}) =>
  grantCredits(t.deps.services, { orgId: owner.orgId, type: 'grant', amount, description: 'A grant', ...further });

/** A call that was heard by speech recognition, as far as the bill is concerned. */
async function processHeard(durationSeconds: number): Promise<string> {
  const id = newRecordId();
  await t.deps.services.db.withOrg(owner.orgId, (tx) =>
    createRecord(
      tx,
      { id, projectId: owner.projectId, source: 'upload', durationSeconds },
      { ...suppliedTranscript(id), source: 'speech-to-text' },
    ),
  );
  await completed(id);
  return id;
}

describe('a processed recording', () => {
  beforeAll(async () => {
    owner = await t.createOrg();
  });

  it('is billed its minutes, rounded up to tenths, and its analysis, to the last decimal', async () => {
    await processHeard(67);
    const bill = { records: 1, minutes: 1.2, transcriptionCost: 0.0052, analysisCost: 0.0125, cost: 0.0177 };
    expect(await usage()).toEqual({
      orgId: owner.orgId,
      period: { from: `${today.slice(0, 7)}-01T00:00:00.000Z`, to: `${today}T23:59:59.999Z` },
      items: [{ date: today, ...bill }],
      totals: bill,
    });
  });

  it('costs no transcription where the transcript was supplied', async () => {
    const { body } = await uploadCall(t, owner, { seconds: 6, isSupplied: true });
    await completed(body.data.id);
    expect((await usage()).totals).toEqual({
      records: 2,
      minutes: 1.3,
      transcriptionCost: 0.0052,
      analysisCost: 0.025,
      cost: 0.0302,
    });
  });

  it('stands in the summary of the month, and is taken from the credits', async () => {
    await grant('10');
    expect(await readSummary(t, owner)).toEqual({
      orgId: owner.orgId,
      period: today.slice(0, 7),
      totalRecords: 2,
      totalMinutes: 1.3,
      totalCost: 0.0302,
      budgetLimit: null,
      budgetUsedPercent: 0,
      credits: { available: 9.9698, used: 0.0302 },
    });
    expect((await setBudget(t, owner, 0.151)).body.data).toMatchObject({ budgetLimit: 0.151, budgetUsedPercent: 20 });
  });

  it('is billed once, however often it is charged', async () => {
    const charge = () =>
      t.deps.services.db.withOrg(owner.orgId, (tx) =>
        chargeRecord(tx, t.deps.services.prices, {
          recordId: 'rec_same',
          projectId: owner.projectId,
          durationSeconds: 1,
          isTranscribed: false,
          reservedCost: null,
        }),
      );
    await Promise.all(Array.from({ length: 10 }, charge));
    expect((await usage()).totals).toMatchObject({ records: 3, minutes: 1.4, cost: 0.0427 });
    expect(await readBooks(t, owner)).toMatchObject({ entries: '0.0427', days: '0.0427', used: '0.0427' });
  });

  it('is billed each further analysis once, and no minutes for it', async () => {
    const { db, prices } = t.deps.services;
    const further = { recordId: 'rec_same', projectId: owner.projectId, reservedCost: null };
    for (const analysisId of ['ana_2', 'ana_3', 'ana_2', 'ana_3']) {
      await db.withOrg(owner.orgId, (tx) => chargeAnalysis(tx, prices, { ...further, analysisId }));
    }
    expect((await usage()).totals).toMatchObject({ records: 3, minutes: 1.4, analysisCost: 0.0625, cost: 0.0677 });
  });

  it('is billed its analysis alone when it is analysed again, in place of what was held for it', async () => {
    await setBudget(t, owner, 1);
    const id = await processHeard(60);
    const { totals } = await usage();
    const [record, profiles] = await Promise.all(
      [`/records/${id}`, '/profiles'].map((url) => t.as(owner, { url: `/api/v1${url}` })),
    );
    const { status, body } = await t.as(owner, {
      method: 'POST',
      url: `/api/v1/analyses/${record?.body.data.analysisId}/re-analyze`,
      payload: { profileId: profiles?.body.data[0].id },
    });
    expect(status).toBe(202);
    await eventually(async () => {
      const { body: analysis } = await t.as(owner, { url: `/api/v1/analyses/${body.data.id}` });
      return analysis.data.status === 'completed' || undefined;
    });
    const { records, minutes, transcriptionCost, analysisCost } = (await usage()).totals;
    expect({ records, minutes, transcriptionCost }).toEqual({
      records: totals.records,
      minutes: totals.minutes,
      transcriptionCost: totals.transcriptionCost,
    });
    expect(round(analysisCost - totals.analysisCost)).toBe(0.0125);
    expect(await readBooks(t, owner)).toMatchObject({ reserved: '0.0000' });
  });

  it('keeps its usage when it is deleted, and when its project is', async () => {
    const { body } = await t.as(owner, { method: 'POST', url: '/api/v1/projects', payload: { name: 'Passing' } });
    const projectId: string = body.data.id;
    const uploads = await Promise.all([0, 1].map(() => uploadCall(t, owner, { isSupplied: true, projectId })));
    const ids: string[] = uploads.map((answer) => answer.body.data.id);
    for (const id of ids) await completed(id);
    const before = await usage(`?groupBy=project&projectId=${projectId}`);
    expect(before.totals.records).toBe(2);
    await t.as(owner, { method: 'DELETE', url: `/api/v1/records/${ids[0]}` });
    await t.as(owner, { method: 'DELETE', url: `/api/v1/projects/${projectId}?force=true` });
    expect(await usage(`?groupBy=project&projectId=${projectId}`)).toEqual(before);
  });
});

describe('many at once', () => {
  it('leave books that agree: entries, days, budget and ledger', async () => {
    owner = await t.createOrg();
    await setBudget(t, owner, 100);
    const uploads = Array.from({ length: 24 }, (_, index) =>
      uploadCall(t, owner, { seconds: 1 + index, isSupplied: true }),
    );
    const [answers] = await Promise.all([
      Promise.all(uploads),
      Promise.all(Array.from({ length: 12 }, (_, index) => grant(`${index + 1}.0001`))),
    ]);
    for (const { body } of answers) await completed(body.data.id);
    expect(await readBooks(t, owner)).toEqual({
      entries: '0.3000',
      days: '0.3000',
      used: '0.3000',
      reserved: '0.0000',
      held: '0',
    });
    const { data, meta } = await credits('?pageSize=100');
    expect(meta).toMatchObject({ page: 1, pageSize: 100, total: 13, balance: 77.7012 });
    let balance = 0n;
    for (const entry of data.toReversed()) {
      balance += BigInt(Math.round(entry.amount * 10_000));
      expect(Math.round(entry.balance * 10_000)).toBe(Number(balance));
    }
    const used = data.filter(({ type }: { type: string }) => type === 'usage');
    expect(used.map(({ amount }: { amount: number }) => amount)).toEqual([-0.3]);
    expect((await usage()).totals).toMatchObject({ records: 24, cost: 0.3 });
  });
});

describe('credits', () => {
  it.each(['0', '0.00', '-1', '1.00001', '1e3', 'ten', '', '12345678901'])('are not granted as %j', (amount) => {
    const grantOf = (text: string) => ({ orgId: 'org_x', type: 'grant', amount: text, description: 'x' });
    expect(GrantCreditsInput.safeParse(grantOf('0.0001')).success).toBe(true);
    expect(GrantCreditsInput.safeParse(grantOf(amount)).success).toBe(false);
  });
});

describe('the ledger', () => {
  beforeAll(async () => {
    owner = await t.createOrg();
  });

  it('lists every kind of entry, newest first and by page, with the balance after each', async () => {
    await grant('5');
    await grant('2.5', { type: 'purchase', description: 'Bought' });
    await grant('1', { type: 'expiry', description: 'Expired' });
    await grant('0.25', { type: 'refund', description: 'Given back' });
    await processHeard(60);
    const { data, meta } = await credits();
    expect(meta).toMatchObject({ page: 1, pageSize: 20, total: 5, balance: 6.7332 });
    expect(data.map(({ type, amount, balance }: Record<string, unknown>) => [type, amount, balance])).toEqual([
      ['usage', -0.0168, 6.7332],
      ['refund', 0.25, 6.75],
      ['expiry', -1, 6.5],
      ['purchase', 2.5, 7.5],
      ['grant', 5, 5],
    ]);
    for (const entry of data) {
      expect(Object.keys(entry).toSorted()).toEqual(['amount', 'balance', 'createdAt', 'description', 'id', 'type']);
      expect(entry.id).toMatch(/^crd_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    }
    const third = await credits('?pageSize=2&page=2');
    expect(third).toEqual({
      data: data.slice(2, 4),
      meta: { ...meta, page: 2, pageSize: 2, nextCursor: expect.any(String) },
    });
  });

  it('has one entry for the usage of a day, which keeps its id while it grows', async () => {
    const [before] = (await credits()).data;
    await processHeard(60);
    const [after] = (await credits()).data;
    expect(after).toMatchObject({ id: before.id, type: 'usage', amount: -0.0336, description: `Usage of ${today}` });
  });
});

describe('the thresholds of a budget', () => {
  const announced = () =>
    t.deps.connections.system<{ data: Record<string, unknown> }[]>`
      select data from outbox where org_id = ${owner.orgId} and type = 'budget.threshold_reached' order by id`;

  it('are announced once a month each, when usage crosses them', async () => {
    owner = await t.createOrg();
    await setBudget(t, owner, 0.05);
    const upload = async () => {
      const { body } = await uploadCall(t, owner, { isSupplied: true });
      return completed(body.data.id);
    };
    for (let count = 0; count < 3; count += 1) await upload();
    expect(await announced()).toEqual([]);
    await upload();
    const facts = { orgId: owner.orgId, period: today.slice(0, 7), budgetLimit: 0.05, totalCost: 0.05 };
    const reached = { ...facts, budgetUsedPercent: 100 };
    expect((await announced()).map(({ data }) => data)).toEqual([
      { ...reached, threshold: 80 },
      { ...reached, threshold: 100 },
    ]);
    await setBudget(t, owner, 1);
    await setBudget(t, owner, 0.05);
    await upload().catch(() => {});
    expect(await announced()).toHaveLength(2);
  });

  it('are announced when a new limit is below what is used', async () => {
    owner = await t.createOrg();
    await processHeard(60);
    await setBudget(t, owner, 0.02);
    expect((await announced()).map(({ data }) => data['threshold'])).toEqual([80]);
    await setBudget(t, owner, 0.01);
    expect((await announced()).map(({ data }) => data['threshold'])).toEqual([80, 100]);
  });
});

describe('usage', () => {
  beforeAll(async () => {
    owner = await t.createOrg();
    await t.deps.services.db.withOrg(owner.orgId, (tx) =>
      tx.execute(`insert into usage_days (org_id, project_id, day, records, minutes, transcription_cost, analysis_cost)
        select '${owner.orgId}', p, day::date, 1, 0.1, 0.1, 0.2
          from unnest(array['prj_a', 'prj_b']) as p, generate_series(date '2025-01-01', date '2025-12-31', '1 day') as day`),
    );
  });

  it('is given by day, by month and by project', async () => {
    const sums = (count: number) => ({
      records: count,
      minutes: round(count * 0.1),
      transcriptionCost: round(count * 0.1),
      analysisCost: round(count * 0.2),
      cost: round(count * 0.3),
    });
    const days = await usage('?from=2025-02-03&to=2025-02-04');
    expect(days).toEqual({
      orgId: owner.orgId,
      period: { from: '2025-02-03T00:00:00.000Z', to: '2025-02-04T23:59:59.999Z' },
      items: [
        { date: '2025-02-03', ...sums(2) },
        { date: '2025-02-04', ...sums(2) },
      ],
      totals: sums(4),
    });
    const months = await usage('?from=2025-01-01&to=2025-12-31&granularity=month');
    expect(months.items).toHaveLength(12);
    expect(months.items[1]).toEqual({ date: '2025-02', ...sums(56) });
    expect(months.totals).toEqual(sums(730));
    const projects = await usage('?from=2025-02-03&to=2025-02-03&groupBy=project');
    expect(projects.items).toEqual([
      { date: '2025-02-03', projectId: 'prj_a', ...sums(1) },
      { date: '2025-02-03', projectId: 'prj_b', ...sums(1) },
    ]);
  });

  it('is counted by whole days, whatever the times', async () => {
    const { period, totals } = await usage('?from=2025-02-03T15:00:00Z&to=2025-02-04T01:00:00%2B02:00');
    expect(period).toEqual({ from: '2025-02-03T00:00:00.000Z', to: '2025-02-03T23:59:59.999Z' });
    expect(totals.records).toBe(2);
  });

  it.each([
    '?from=2025-02-02&to=2025-02-01',
    '?from=2024-01-01&to=2025-12-31',
    '?from=2001-01-01&to=2025-12-31&granularity=month',
    '?granularity=hour',
    '?groupBy=agent',
    '?from=now',
  ])('refuses %s', async (query) => {
    const refused = await t.as(owner, { url: `/api/v1/billing/usage/${owner.orgId}${query}` });
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
  });

  it('is the same over RPC', async () => {
    const baseUrl = await t.listen();
    const client = createTRPCClient<AppRouter>({
      links: [httpBatchLink({ url: `${baseUrl}/api/trpc`, transformer: superjson, headers: owner.headers })],
    });
    const { orgId } = owner;
    const report = await client.billing.usage.query({ orgId, from: '2025-02-03', to: '2025-02-04' });
    expect(JSON.parse(JSON.stringify(report))).toEqual(await usage('?from=2025-02-03&to=2025-02-04'));
    expect(await client.billing.updateBudget.mutate({ orgId, budgetLimit: 5.5 })).toMatchObject({ budgetLimit: 5.5 });
    expect(await client.billing.summary.query({ orgId })).toEqual(await readSummary(t, owner));
    const { data, meta } = await client.billing.credits.query({ orgId, pageSize: 2 });
    expect([data.length, meta.total, meta.balance]).toEqual([2, 365, -219]);
  });

  it('of another organization is refused, whoever asks', async () => {
    const other = await t.createOrg();
    const refused = await t.as(owner, { url: `/api/v1/billing/usage/${other.orgId}` });
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
  });
});

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
