import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chargeAnalysis, release, reserveAnalysis } from '../../src/domain/billing/metering.ts';
import { beginProcessing, failRecord } from '../../src/domain/processing/service.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { callParts, readBooks, readSummary, setBudget, uploadCall } from './billing-support.ts';
import { leftovers, send } from './upload-support.ts';

/** A call of six seconds costs 0.3, and 0.25 where its transcript is supplied. */
const env = { PRICE_TRANSCRIPTION_PER_MINUTE: '0.5', PRICE_ANALYSIS_PER_RECORD: '0.25', DATABASE_POOL_SIZE: '12' };
const callCost = 0.3;
const failure = { code: 'AUDIO_UNREADABLE', message: 'No audio.', retryable: true };

let t: TestApp;
let owner: TestMember;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false, env });
});
afterAll(() => t.close());

const over = { status: 402, body: { error: { code: 'BUDGET_EXCEEDED' } } };

async function fail(recordId: string, attempt = 1): Promise<void> {
  await t.deps.services.db.withOrg(owner.orgId, async (tx) => {
    await beginProcessing(tx, { recordId, attempt });
    expect(await failRecord(tx, { recordId, attempt }, failure)).toBe(true);
  });
}

const retry = (id: string) => t.as(owner, { method: 'POST', url: `/api/v1/records/${id}/retry` });
const remove = (id: string) => t.as(owner, { method: 'DELETE', url: `/api/v1/records/${id}` });

let calls = 0;
function ingest(further: object = {}) {
  const call = {
    externalId: `call-${(calls += 1)}`,
    projectId: owner.projectId,
    recordingUrl: 'https://a.example/1.wav',
  };
  return t.as(owner, { method: 'POST', url: '/api/v1/records/ingest', payload: { ...call, duration: 6, ...further } });
}

describe('a budget with room for ten', () => {
  it('takes exactly ten of fifty uploads that come at the same time, and keeps nothing of the others', async () => {
    owner = await t.createOrg();
    const before = await leftovers(t);
    await setBudget(t, owner, 10 * callCost);
    const baseUrl = await t.listen();
    const parts = callParts(owner);
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(baseUrl, { member: owner, parts })));
    const accepted = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(accepted).toHaveLength(10);
    for (const answer of refused) expect(answer).toMatchObject(over);
    const after = await leftovers(t);
    expect(after).toEqual({ records: before.records + 10, uploads: before.uploads, files: before.files + 10 });
    expect(await readBooks(t, owner)).toMatchObject({ used: '0.0000', reserved: '3.0000', held: '3.0000' });
  });

  it('takes exactly ten of fifty, however they come in', async () => {
    owner = await t.createOrg();
    await setBudget(t, owner, 10 * callCost);
    const failed = await Promise.all(Array.from({ length: 5 }, () => uploadCall(t, owner)));
    for (const { body } of failed) await fail(body.data.id);
    const answers = await Promise.all([
      ...Array.from({ length: 30 }, () => ingest()),
      ...Array.from({ length: 15 }, () => uploadCall(t, owner)),
      ...failed.map(({ body }) => retry(body.data.id)),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status < 300)).toHaveLength(10);
    expect(statuses.filter((status) => status === 402)).toHaveLength(40);
  });
});

describe('a further analysis', () => {
  it('holds the price of an analysis, gives it back, and is refused where there is no room', async () => {
    owner = await t.createOrg();
    const { db, prices } = t.deps.services;
    const begin = () => db.withOrg(owner.orgId, (tx) => reserveAnalysis(tx, prices));
    expect(await begin()).toBe('0.2500');
    await setBudget(t, owner, 0.5);
    const held = await Promise.allSettled(Array.from({ length: 10 }, begin));
    expect(held.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    await expect(begin()).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
    await db.withOrg(owner.orgId, (tx) => release(tx, '0.2500'));
    expect(await begin()).toBe('0.2500');
    const further = { analysisId: 'ana_x', recordId: 'rec_x', projectId: owner.projectId, reservedCost: '0.2500' };
    await db.withOrg(owner.orgId, (tx) => chargeAnalysis(tx, prices, further));
    expect(await readBooks(t, owner)).toMatchObject({ used: '0.2500', reserved: '0.2500' });
  });
});

describe('a budget that is used up', () => {
  let accepted: string;

  beforeAll(async () => {
    owner = await t.createOrg();
    await setBudget(t, owner, callCost);
    accepted = (await uploadCall(t, owner)).body.data.id;
  });

  it('refuses whatever makes work, and nothing that reads', async () => {
    expect(await uploadCall(t, owner)).toMatchObject(over);
    expect(await ingest()).toMatchObject(over);
    const reads = await Promise.all(
      ['/records', `/records/${accepted}`, '/analyses', `/billing/usage/${owner.orgId}`].map((url) =>
        t.as(owner, { url: `/api/v1${url}` }),
      ),
    );
    expect(reads.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('still answers a call that is known with its first record', async () => {
    await setBudget(t, owner, 2 * callCost);
    const first = await ingest({ externalId: 'known' });
    expect(first.status).toBe(202);
    expect(await ingest()).toMatchObject(over);
    const again = await ingest({ externalId: 'known' });
    expect(again).toMatchObject({ status: 200, body: { data: { id: first.body.data.id } } });
    expect(await readBooks(t, owner)).toMatchObject({ reserved: '0.6000', held: '0.6000' });
  });

  it('gets its room back when a record fails, and gives it to a retry once', async () => {
    await fail(accepted);
    expect(await readBooks(t, owner)).toMatchObject({ reserved: '0.3000', held: '0.3000' });
    expect((await retry(accepted)).status).toBe(200);
    expect(await readBooks(t, owner)).toMatchObject({ reserved: '0.6000', held: '0.6000' });
    await fail(accepted, 2);
    const other = await ingest();
    expect(other.status).toBe(202);
    expect(await retry(accepted)).toMatchObject(over);
    expect((await t.as(owner, { url: `/api/v1/records/${accepted}` })).body.data.status).toBe('failed');
  });

  it('gets its room back when a record is deleted before it is processed, and nothing for one that failed', async () => {
    const listed = await t.as(owner, { url: '/api/v1/records?status=pending' });
    expect((await remove(accepted)).status).toBe(204);
    expect(await readBooks(t, owner)).toMatchObject({ reserved: '0.6000' });
    for (const { id } of listed.body.data) await remove(id);
    expect(await readBooks(t, owner)).toMatchObject({ used: '0.0000', reserved: '0.0000', held: '0' });
  });

  it('gets its room back when a project goes with its records', async () => {
    const { body } = await t.as(owner, { method: 'POST', url: '/api/v1/projects', payload: { name: 'Gone' } });
    const projectId: string = body.data.id;
    await uploadCall(t, owner, { projectId });
    await uploadCall(t, owner, { projectId });
    expect(await uploadCall(t, owner)).toMatchObject(over);
    await t.as(owner, { method: 'DELETE', url: `/api/v1/projects/${projectId}?force=true` });
    expect(await readBooks(t, owner)).toMatchObject({ reserved: '0.0000' });
    expect((await uploadCall(t, owner)).status).toBe(201);
  });
});

describe('a limit', () => {
  beforeAll(async () => {
    owner = await t.createOrg();
  });

  it('that is set counts what was accepted without one', async () => {
    await Promise.all([uploadCall(t, owner), uploadCall(t, owner), uploadCall(t, owner, { isSupplied: true })]);
    await setBudget(t, owner, 1.15);
    expect(await readBooks(t, owner)).toMatchObject({ reserved: '0.8500' });
    expect((await uploadCall(t, owner)).status).toBe(201);
    expect(await uploadCall(t, owner)).toMatchObject(over);
  });

  it('that is set while calls come in misses none of them', async () => {
    for (let round = 0; round < 5; round += 1) {
      owner = await t.createOrg();
      const [, ...uploads] = await Promise.all([
        setBudget(t, owner, 5 * callCost),
        ...Array.from({ length: 20 }, () => uploadCall(t, owner)),
      ]);
      const accepted = uploads.filter(({ status }) => status === 201).length;
      const { reserved, held } = await readBooks(t, owner);
      expect(reserved).toBe(held);
      expect(Number(held)).toBeCloseTo(accepted * callCost, 4);
    }
  });

  it('that is taken away lets everything in, and stands in the summary as none', async () => {
    await setBudget(t, owner, 0);
    expect(await uploadCall(t, owner)).toMatchObject(over);
    expect((await setBudget(t, owner, null)).body.data).toMatchObject({ budgetLimit: null, budgetUsedPercent: 0 });
    expect((await uploadCall(t, owner)).status).toBe(201);
    expect(await readSummary(t, owner)).toMatchObject({ budgetLimit: null, budgetUsedPercent: 0 });
  });

  it('counts a recording of unknown length as ten minutes', async () => {
    owner = await t.createOrg();
    await setBudget(t, owner, 10);
    expect((await ingest({ duration: null })).status).toBe(202);
    expect(await readBooks(t, owner)).toMatchObject({ reserved: '5.2500' });
    expect(await ingest({ duration: null })).toMatchObject(over);
  });

  it('begins each month anew', async () => {
    owner = await t.createOrg();
    await setBudget(t, owner, callCost);
    await t.deps.services.db.withOrg(owner.orgId, (tx) =>
      tx.execute(`update budgets set period = '2020-01', used = budget_limit`),
    );
    expect((await uploadCall(t, owner)).status).toBe(201);
    expect(await uploadCall(t, owner)).toMatchObject(over);
  });

  it.each([-1, 0.00001, 1e10, '10', Number.MAX_VALUE])('is refused as %s', async (budgetLimit) => {
    const refused = await t.as(owner, {
      method: 'PATCH',
      url: `/api/v1/billing/budget/${owner.orgId}`,
      payload: { budgetLimit },
    });
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
  });

  it.each([0, 0.0001, 12.3456, 999_999_999.9999])('comes back as it was given: %s', async (budgetLimit) => {
    expect((await setBudget(t, owner, budgetLimit)).body.data.budgetLimit).toBe(budgetLimit);
  });
});
