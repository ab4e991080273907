import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { touchReanalysis } from '../../src/domain/processing/reprocessing.ts';
import { newRecordId } from '../../src/domain/records/service.ts';
import { createRecord } from '../../src/domain/intake/service.ts';
import { newRunId } from '../../src/pipeline/engine/store-runs.ts';
import { newId } from '../../src/lib/ids.ts';
import { retryFailedRun } from '../../src/pipeline/retry-run.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { seedRecords, seedAnalysis } from '../support/seed.ts';
import { callVtt, suppliedTranscript } from './support/calls.ts';
import { asAdmin, eventually, sleep } from './support/hosts.ts';
import { silentWav } from './support/recording-server.ts';

const api = '/api/v1';
type Body = ReturnType<typeof JSON.parse>;

let t: TestApp;
let owner: TestMember;
let strict: string;

beforeAll(async () => {
  t = await createTestApp({ env: { LOG_LEVEL: 'silent' } });
  owner = await t.createOrg();
  strict = await addProfile('Strict');
});
afterAll(() => t.close());

/** A profile that no call passes. */
async function addProfile(name: string, org = owner): Promise<string> {
  const check = { key: 'magic.word', title: 'Magic word', weight: 1, kind: 'phrase', phrases: ['abracadabra'] };
  const payload = { name, categories: [{ key: 'magic', title: 'Magic', weight: 1, checks: [check] }], compliance: [] };
  return (await post('/profiles', payload, org)).body.data.id;
}

const post = (path: string, payload: object, member = owner) =>
  t.as(member, { method: 'POST', url: `${api}${path}`, payload });
const get = async (path: string, member = owner): Promise<Body> =>
  (await t.as(member, { url: `${api}${path}` })).body.data;

async function addCall(org = owner): Promise<{ recordId: string; analysisId: string }> {
  const id = newRecordId();
  await t.deps.services.db.withOrg(org.orgId, (tx) =>
    createRecord(tx, { id, projectId: org.projectId, source: 'upload', agentName: 'Sarah' }, suppliedTranscript(id)),
  );
  const { analysisId } = await eventually(async () => {
    const record = await get(`/records/${id}`, org);
    return record.status === 'completed' ? record : undefined;
  });
  return { recordId: id, analysisId };
}

async function ended(id: string, org = owner): Promise<Body> {
  return eventually(async () => {
    const analysis = await get(`/analyses/${id}`, org);
    return ['completed', 'failed'].includes(analysis.status) ? analysis : undefined;
  });
}

/** Nothing is handed to the pipeline meanwhile. */
async function whilePaused<T>(work: () => Promise<T>): Promise<T> {
  const admin = (statement: string) => asAdmin(t.deps.config.DATABASE_URL ?? '', (sql) => sql.unsafe(statement));
  await admin(`create function hold_orders() returns trigger language plpgsql as $$
    begin if new.type = 'analysis.process.requested' then new.dispatched_at := now(); end if; return new; end $$`);
  await admin('create trigger hold_orders before insert on outbox for each row execute function hold_orders()');
  try {
    return await work();
  } finally {
    await admin('drop trigger hold_orders on outbox');
    await admin('drop function hold_orders()');
  }
}

describe('a re-analysis', () => {
  it('answers 202, and becomes the current version once it is completed; the old one stays readable', async () => {
    const { recordId, analysisId } = await addCall();
    const before = await get(`/records/${recordId}`);
    const old = await get(`/analyses/${analysisId}`);
    const { status, headers, body } = await post(`/analyses/${analysisId}/re-analyze`, {
      profileId: strict,
      reason: 'A stricter look.',
    });
    expect(status).toBe(202);
    const { id } = body.data;
    expect(headers['location']).toBe(`${api}/analyses/${id}`);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^ana_/),
      previousAnalysisId: analysisId,
      recordId,
      profileId: strict,
      status: 'pending',
      createdAt: expect.stringMatching(/Z$/),
    });
    expect(await ended(id)).toMatchObject({
      status: 'completed',
      version: 2,
      current: true,
      qualityScore: 0,
      categories: { magic: 0 },
      complianceStatus: 'not_applicable',
      profile: { id: strict, name: 'Strict', version: 1 },
      reason: 'A stricter look.',
      failure: null,
      completedAt: expect.stringMatching(/Z$/),
      segments: old.segments,
    });
    expect(await get(`/analyses/${analysisId}`)).toEqual({ ...old, current: false });
    const after = await get(`/records/${recordId}`);
    const scores = { qualityScore: 0, complianceStatus: 'not_applicable', judgedShare: 1, needsReviewCount: 0 };
    expect(after).toEqual({ ...before, analysisId: id, ...scores });
    const events = await t.deps.connections.system`
      select type, data from outbox where data->>'analysisId' = ${id} order by id`;
    expect(events.map(({ type }) => type)).toEqual(['analysis.process.requested', 'analysis.completed']);
    expect(events[1]?.['data']).toMatchObject({ recordId, version: 2, qualityScore: 0 });
    const completions = await t.deps.connections.system`
      select from outbox where type = 'record.completed' and data->>'recordId' = ${recordId}`;
    expect(completions).toHaveLength(1);
  });

  it('moves the statistics of the project', async () => {
    const org = await t.createOrg();
    const profileId = await addProfile('Strict', org);
    const { recordId, analysisId } = await addCall(org);
    const average = async (): Promise<number> =>
      (await get(`/projects/${org.projectId}/stats`, org)).averageQualityScore;
    expect(await average()).toBe((await get(`/records/${recordId}`, org)).qualityScore);
    const { body } = await post(`/analyses/${analysisId}/re-analyze`, { profileId }, org);
    await ended(body.data.id, org);
    expect(await average()).toBe(0);
  });

  it('is held against the alert rules like every analysis, once', async () => {
    const org = await t.createOrg();
    const profileId = await addProfile('Strict', org);
    const condition = { field: 'qualityScore', operator: 'lt', value: 10 };
    const alert = await post('/alerts', { name: 'Very low', projectId: org.projectId, condition }, org);
    const { recordId, analysisId } = await addCall(org);
    const { body } = await post(`/analyses/${analysisId}/re-analyze`, { profileId }, org);
    await ended(body.data.id, org);
    const firings = await eventually(async () => {
      const listed = await get(`/alerts/${alert.body.data.id}/events`, org);
      return listed.length > 0 ? listed : undefined;
    });
    expect(firings).toMatchObject([{ recordId, analysisId: body.data.id, cause: 'analysis', value: 0 }]);
    expect(firings).toHaveLength(1);
  });

  it('starts without a review and leaves the old version its own', async () => {
    const { recordId, analysisId } = await addCall();
    await post(`/analyses/${analysisId}/review`, { verdict: 'rejected', comment: 'Wrong.' });
    expect((await get(`/records/${recordId}`)).qualityScore).toBeNull();
    const replaceReview = true;
    const { body } = await post(`/analyses/${analysisId}/re-analyze`, { profileId: strict, replaceReview });
    expect(await ended(body.data.id)).toMatchObject({ reviewed: false, qualityScore: 0 });
    expect((await get(`/records/${recordId}`)).qualityScore).toBe(0);
    expect(await get(`/analyses/${analysisId}/review`)).toMatchObject({ verdict: 'rejected', current: false });
  });

  it('and reviews at the same time: each review counts or is refused, and the record has what its current version shows', async () => {
    const { recordId, analysisId: first } = await addCall();
    let analysisId = first;
    for (let round = 0; round < 5; round += 1) {
      const review = () => post(`/analyses/${analysisId}/review`, { verdict: 'rejected', comment: 'x' });
      const ask = () => post(`/analyses/${analysisId}/re-analyze`, { profileId: strict, replaceReview: true });
      const [ordered, ...reviews] = await Promise.all([ask(), review(), review()]);
      const id: string = ordered.body.data.id;
      reviews.push(await review());
      await ended(id);
      const taken = reviews.filter(({ status }) => status < 300).length;
      expect(reviews.every(({ status }) => [200, 201, 409].includes(status))).toBe(true);
      const [record, current, old] = await Promise.all([
        get(`/records/${recordId}`),
        get(`/analyses/${id}`),
        get(`/analyses/${analysisId}`),
      ]);
      const { qualityScore, complianceStatus } = current;
      expect(record).toMatchObject({ analysisId: id, qualityScore, complianceStatus });
      expect([current.current, current.reviewed, old.current, old.reviewed]).toEqual([true, false, false, taken > 0]);
      analysisId = id;
    }
  });

  it('runs once at a time for a record, and ten requests at once start one', async () => {
    const { analysisId } = await addCall();
    const started = await whilePaused(async () => {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => post(`/analyses/${analysisId}/re-analyze`, { profileId: strict })),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([202, ...Array.from({ length: 9 }, () => 409)]);
      return answers.find(({ status }) => status === 202)?.body.data.id;
    });
    await t.as(owner, { url: `${api}/analyses/${started}` });
    await asAdmin(
      t.deps.config.DATABASE_URL ?? '',
      (sql) => sql`update outbox set dispatched_at = null where data->>'analysisId' = ${started}`,
    );
    expect(await ended(started)).toMatchObject({ status: 'completed', version: 2 });
    const again = await post(`/analyses/${analysisId}/re-analyze`, { profileId: strict });
    expect(again.status).toBe(202);
    expect(await ended(again.body.data.id)).toMatchObject({ status: 'completed', version: 3, current: true });
  });

  it.each([
    [422, 'profileId', { profileId: newId('profile') }],
    [422, 'profileId', { profileId: 'x' }],
    [422, 'retranscribe', { retranscribe: true }],
    [400, 'profileId', { profileId: null }],
    [400, 'retranscribe', { retranscribe: 'yes' }],
    [400, 'reason', { reason: 'x'.repeat(1_001) }],
  ])('answers %i and names %s in %j', async (expected, path, payload) => {
    const { recordId, analysisId } = await addCall();
    const { status, body } = await post(`/analyses/${analysisId}/re-analyze`, { profileId: strict, ...payload });
    expect(status).toBe(expected);
    expect(body.error.details).toMatchObject([{ path }]);
    expect((await t.as(owner, { url: `${api}/analyses?versions=all&recordId=${recordId}` })).body.meta.total).toBe(1);
  });

  it('takes no deleted profile, and no record that is being processed', async () => {
    const { analysisId } = await addCall();
    const profileId = await addProfile('Short-lived');
    await t.as(owner, { method: 'DELETE', url: `${api}/profiles/${profileId}` });
    expect((await post(`/analyses/${analysisId}/re-analyze`, { profileId })).status).toBe(422);
    const [recordId = ''] = await seedRecords(t, owner, [{ status: 'processing' }]);
    const busy = await seedAnalysis(t, owner, { recordId });
    expect((await post(`/analyses/${busy}/re-analyze`, { profileId: strict })).status).toBe(409);
  });
});

describe('a recording that is transcribed again', () => {
  const wav = silentWav(800);

  /** A call with a recording and a supplied transcript. */
  async function addRecording(): Promise<{ recordId: string; analysisId: string }> {
    const form = new FormData();
    form.set('projectId', owner.projectId);
    form.set('transcript', callVtt);
    form.set('file', new Blob([Uint8Array.from(wav)]), 'call.wav');
    const request = new Request('http://localhost', { method: 'POST', body: form });
    const { body } = await t.as(owner, {
      method: 'POST',
      url: `${api}/records/upload`,
      headers: { 'content-type': request.headers.get('content-type') ?? '' },
      payload: Buffer.from(await request.arrayBuffer()),
    });
    const recordId: string = body.data.id;
    const { analysisId } = await eventually(async () => {
      const record = await get(`/records/${recordId}`);
      return record.status === 'completed' ? record : undefined;
    });
    return { recordId, analysisId };
  }

  it('that cannot be heard fails with a reason, and nothing else changes', async () => {
    const { recordId, analysisId } = await addRecording();
    const [record, old, transcript] = await Promise.all([
      get(`/records/${recordId}`),
      get(`/analyses/${analysisId}`),
      get(`/records/${recordId}/transcript`),
    ]);
    await asAdmin(
      t.deps.config.DATABASE_URL ?? '',
      (sql) => sql`update records set storage_key = storage_key || '-gone' where id = ${recordId}`,
    );
    const { body } = await post(`/analyses/${analysisId}/re-analyze`, { profileId: strict, retranscribe: true });
    expect(await ended(body.data.id)).toMatchObject({
      status: 'failed',
      current: false,
      qualityScore: null,
      failure: { code: 'RECORDING_GONE', retryable: false },
    });
    expect(await get(`/records/${recordId}`)).toEqual(record);
    expect(await get(`/analyses/${analysisId}`)).toEqual(old);
    expect(await get(`/records/${recordId}/transcript`)).toEqual(transcript);
    const { db } = t.deps.services;
    const { system } = t.deps.connections;
    const [run] = await eventually(async () => {
      const rows = await system<{ id: string }[]>`
        select id from engine_runs where status = 'failed' and function_id = 'earshot-reanalyze-record'
           and event->'data'->>'analysisId' = ${body.data.id}`;
      return rows.length > 0 ? rows : undefined;
    });
    await expect(retryFailedRun({ db, system }, run?.id ?? '')).rejects.toMatchObject({ code: 'CONFLICT' });
    const retried = await post(`/analyses/${analysisId}/re-analyze`, { profileId: strict });
    expect(await ended(retried.body.data.id)).toMatchObject({ status: 'completed', version: 3 });
  });
});

describe('a re-analysis that nobody works on', () => {
  async function sweep(): Promise<void> {
    const { system } = t.deps.connections;
    const id = newRunId();
    const event = { id, name: 'inngest/scheduled.timer', data: { cron: '* * * * *' }, ts: Date.now() };
    await system.begin(async (tx) => {
      await tx`insert into engine_runs (id, function_id, event_id, event, lane)
        values (${id}, 'earshot-sweep', ${id}, ${tx.json(event)}, 'earshot-sweep:')`;
      await tx`insert into engine_queue (run_id, step_id, function_id, lane)
        values (${id}, 'step', 'earshot-sweep', 'earshot-sweep:')`;
      await tx`select pg_notify('earshot_engine', '')`;
    });
    await eventually(async () => {
      const [run] = await system`select status from engine_runs where id = ${id}`;
      return run?.['status'] === 'completed' || undefined;
    });
  }

  it('is ordered again by the sweep, once it has been silent for a while', async () => {
    const { analysisId } = await addCall();
    const { body } = await whilePaused(() => post(`/analyses/${analysisId}/re-analyze`, { profileId: strict }));
    await sweep();
    await sleep(100);
    expect((await get(`/analyses/${body.data.id}`)).status).toBe('pending');
    await asAdmin(
      t.deps.config.DATABASE_URL ?? '',
      (sql) => sql`update analyses set updated_at = now() - interval '10 minutes' where id = ${body.data.id}`,
    );
    await sweep();
    expect(await ended(body.data.id)).toMatchObject({ status: 'completed', current: true });
  });

  it('goes with its record, and says so to whoever still works on it', async () => {
    const { recordId, analysisId } = await addCall();
    const { body } = await whilePaused(() => post(`/analyses/${analysisId}/re-analyze`, { profileId: strict }));
    expect((await t.as(owner, { method: 'DELETE', url: `${api}/records/${recordId}` })).status).toBe(204);
    const job = { analysisId: body.data.id, recordId };
    expect(await t.deps.services.db.withOrg(owner.orgId, (tx) => touchReanalysis(tx, job))).toBe(false);
  });
});
