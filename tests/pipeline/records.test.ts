import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventPayloads } from '../../src/domain/events/payloads.ts';
import { emitEvents } from '../../src/domain/events/service.ts';
import { beginProcessing, failRecord } from '../../src/domain/processing/service.ts';
import { newRecordId } from '../../src/domain/records/service.ts';
import { createRecord } from '../../src/domain/intake/service.ts';
import { listRuns } from '../../src/pipeline/engine/runs.ts';
import { retryFailedRun } from '../../src/pipeline/retry-run.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { callVtt, suppliedTranscript } from './support/calls.ts';
import { asAdmin, eventually, sleep } from './support/hosts.ts';
import { silentWav, startRecordingServer, type RecordingServer } from './support/recording-server.ts';

let service: TestApp;
let org: TestMember;
let server: RecordingServer | undefined;

beforeAll(async () => {
  service = await createTestApp({ env: { OUTBOUND_ALLOW: '127.0.0.1', LOG_LEVEL: 'silent', DATABASE_POOL_SIZE: '8' } });
  org = await service.createOrg();
});
afterAll(async () => {
  await service.close();
});
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const wav = silentWav(1500);
let calls = 0;

async function ingest(recordingUrl: string, further: object = {}): Promise<string> {
  const payload = { externalId: `call-${(calls += 1)}`, projectId: org.projectId, recordingUrl, ...further };
  const { status, body } = await service.as(org, { method: 'POST', url: '/api/v1/records/ingest', payload });
  expect(status).toBe(202);
  return body.data.id;
}

async function addSupplied(): Promise<string> {
  const id = newRecordId();
  await service.deps.services.db.withOrg(org.orgId, (tx) =>
    createRecord(tx, { id, projectId: org.projectId, source: 'upload', durationSeconds: 59 }, suppliedTranscript(id)),
  );
  return id;
}

async function readRecord(id: string) {
  return (await service.as(org, { method: 'GET', url: `/api/v1/records/${id}` })).body.data;
}

async function ended(id: string) {
  return eventually(async () => {
    const record = await readRecord(id);
    return ['completed', 'failed'].includes(record.status) ? record : undefined;
  });
}

async function eventsOf(recordId: string) {
  return service.deps.connections.system<{ type: keyof typeof eventPayloads; data: Record<string, unknown> }[]>`
    select type, data from outbox where data->>'recordId' = ${recordId} order by id`;
}

async function objectKeys(recordId: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of service.deps.services.storage.list(`${org.orgId}/${recordId}/`)) keys.push(key);
  return keys;
}

async function countAnalyses(recordId: string) {
  const { db } = service.deps.services;
  const { sql } = await import('drizzle-orm');
  const [row] = await db.withOrg(org.orgId, (tx) =>
    tx.execute<{ total: number; current: number }>(sql`
      select count(*)::int as total, count(*) filter (where current)::int as current
        from analyses where record_id = ${recordId}`),
  );
  return row;
}

describe('a call with a supplied transcript', () => {
  it('is scored and published without a recogniser, and announced once', async () => {
    const id = await addSupplied();
    const record = await ended(id);
    expect(record).toMatchObject({ status: 'completed', stage: null, failure: null, duration: 59 });
    expect(record.qualityScore).toBeGreaterThan(60);
    expect(record.completedAt).not.toBeNull();
    expect(await countAnalyses(id)).toEqual({ total: 1, current: 1 });
    const events = await eventsOf(id);
    expect(events.map(({ type }) => type)).toEqual([
      'record.created',
      'record.process.requested',
      'analysis.completed',
      'record.completed',
    ]);
    for (const { type, data } of events) expect(eventPayloads[type].safeParse(data).error).toBeUndefined();
    expect(events.at(-1)?.data).toMatchObject({ analysisId: record.analysisId, qualityScore: record.qualityScore });
  });

  it('can be seen being delivered until its result is published', async () => {
    const { id, stage } = await asAdmin(service.deps.config.DATABASE_URL ?? '', (sql) =>
      sql.begin(async (tx) => {
        // Keeps analyses from being written, not from being read.
        await tx`lock table analyses in share mode`;
        const id = await addSupplied();
        const stage = await eventually(async () => {
          const record = await readRecord(id);
          return record.stage === 'delivering' ? record.stage : undefined;
        });
        expect(await readRecord(id)).toMatchObject({ status: 'processing', analysisId: null, completedAt: null });
        return { id, stage };
      }),
    );
    expect(stage).toBe('delivering');
    expect(await ended(id)).toMatchObject({ status: 'completed', stage: null });
  });

  it('stays as it is when its event is delivered again, by the same id or another', async () => {
    const id = await addSupplied();
    const before = await ended(id);
    await service.deps.connections.system`
      update outbox set dispatched_at = null where data->>'recordId' = ${id} and type = 'record.process.requested'`;
    await service.deps.services.db.withOrg(org.orgId, (tx) =>
      emitEvents(tx, [{ type: 'record.process.requested', data: { recordId: id, attempt: 1 } }]),
    );
    await eventually(async () => {
      const rows = await service.deps.connections.system`select from outbox where dispatched_at is null`;
      return rows.length === 0 || undefined;
    });
    await sleep(300);
    expect(await readRecord(id)).toEqual(before);
    expect(await countAnalyses(id)).toEqual({ total: 1, current: 1 });
    expect((await eventsOf(id)).filter(({ type }) => type === 'record.completed')).toHaveLength(1);
  });
});

describe('a call whose recording lies elsewhere', () => {
  it('is fetched, stored as it came, and scored', async () => {
    server = await startRecordingServer((_req, res) => res.setHeader('content-type', 'audio/x-anything').end(wav));
    const id = await ingest(server.url('/calls/a.wav'), { transcript: callVtt });
    const record = await ended(id);
    expect(record).toMatchObject({
      status: 'completed',
      duration: 2,
      file: {
        name: 'a.wav',
        size: wav.length,
        contentType: 'audio/wav',
        sha256: createHash('sha256').update(wav).digest('hex'),
        damage: null,
      },
    });
    const [key, ...others] = await objectKeys(id);
    expect(others).toEqual([]);
    expect(await buffer(await service.deps.services.storage.open(key ?? ''))).toEqual(wav);
    expect(await service.deps.connections.system`select from uploads`).toHaveLength(0);
    expect(server.hits.get('/calls/a.wav')).toBe(1);
  });

  it('is asked for again when its server is busy, after the time that it names', async () => {
    const times: number[] = [];
    server = await startRecordingServer((_req, res, hit) => {
      times.push(Date.now());
      if (hit === 1) return void res.writeHead(503, { 'retry-after': '1' }).end();
      res.end(wav);
    });
    const id = await ingest(server.url('/busy.wav'), { transcript: callVtt });
    const waiting = await eventually(async () => {
      const record = await readRecord(id);
      return times.length === 1 && record.stage === 'fetching' ? record : undefined;
    });
    expect(waiting.status).toBe('processing');
    expect((await ended(id)).status).toBe('completed');
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(950);
  });

  it('fails in the end where its server stays busy, and may be tried again', async () => {
    let isBusy = true;
    server = await startRecordingServer((_req, res) => {
      if (isBusy) return void res.writeHead(429, { 'retry-after': '1' }).end();
      res.end(wav);
    });
    const id = await ingest(server.url('/always-busy.wav'), { transcript: callVtt });
    const record = await ended(id);
    expect(record).toMatchObject({
      status: 'failed',
      stage: null,
      failure: { code: 'FETCH_HTTP_STATUS', retryable: true },
    });
    expect(server.hits.get('/always-busy.wav')).toBe(5);
    isBusy = false;
    expect((await service.as(org, { method: 'POST', url: `/api/v1/records/${id}/retry` })).status).toBe(200);
    const mended = await ended(id);
    expect(mended).toMatchObject({ status: 'completed', failure: null });
    expect(await countAnalyses(id)).toEqual({ total: 1, current: 1 });
    const types = (await eventsOf(id)).map(({ type }) => type);
    expect(types.filter((type) => type === 'record.failed')).toHaveLength(1);
    expect(types.filter((type) => type === 'record.completed')).toHaveLength(1);
  });

  it('is fetched anew when an operator retries the run that has failed its record, and only then', async () => {
    let isGone = true;
    server = await startRecordingServer((_req, res) => void (isGone ? res.writeHead(404).end() : res.end(wav)));
    const id = await ingest(server.url('/gone-for-now.wav'), { transcript: callVtt });
    expect(await ended(id)).toMatchObject({ status: 'failed' });
    const { services, connections } = service.deps;
    const operator = { db: services.db, system: connections.system };
    const run = await eventually(async () => {
      const [failed] = await connections.system<{ id: string }[]>`
        select id from engine_runs where status = 'failed' and event->'data'->>'recordId' = ${id}`;
      return failed?.id;
    });
    isGone = false;
    expect(await retryFailedRun(operator, run)).toEqual({ recordId: id });
    expect(await ended(id)).toMatchObject({ status: 'completed', failure: null });
    await expect(retryFailedRun(operator, run)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `The record ${id} has been retried since, and is completed now.`,
    });
    expect((await service.as(org, { method: 'DELETE', url: `/api/v1/records/${id}` })).status).toBe(204);
    await expect(retryFailedRun(operator, run)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('was deleted'),
    });
    await expect(retryFailedRun(operator, 'no-run')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each([
    ['is gone', (res: ServerResponse) => res.writeHead(404).end(), 'FETCH_HTTP_STATUS'],
    ['is a page', (res: ServerResponse) => res.end('<html>Log in first</html>'.repeat(100)), 'UNSUPPORTED_RECORDING'],
    ['is cut off', (res: ServerResponse) => res.end(wav.subarray(0, 5000)), 'RECORDING_DEFECTIVE'],
    ['is empty', (res: ServerResponse) => res.end(), 'UNSUPPORTED_RECORDING'],
  ])('fails at once, with a reason and nothing left behind, when it %s', async (_name, answer, code) => {
    server = await startRecordingServer((_req, res) => void answer(res));
    const id = await ingest(server.url('/poison'), { transcript: callVtt });
    const record = await ended(id);
    expect(record.failure).toMatchObject({ code, retryable: false });
    expect(record.failure.message.length).toBeGreaterThan(10);
    expect(server.hits.get('/poison')).toBe(1);
    await eventually(async () => (await objectKeys(id)).length === 0 || undefined);
    expect((await eventsOf(id)).filter(({ type }) => type === 'record.failed')).toHaveLength(1);
  });

  it('is not fetched from an address inside the network', async () => {
    const id = await ingest('http://10.1.2.3/secret.wav', { transcript: callVtt });
    expect((await ended(id)).failure).toMatchObject({ code: 'FETCH_UNREACHABLE', retryable: false });
  });

  it('does not hold up others when it is poison', async () => {
    server = await startRecordingServer((_req, res) => res.end('no sound at all'));
    const poison = await Promise.all(
      Array.from({ length: 6 }, (_, n) => ingest(server?.url(`/${n}`) ?? '', { transcript: callVtt })),
    );
    const good = await Promise.all(Array.from({ length: 6 }, addSupplied));
    for (const id of good) expect((await ended(id)).status).toBe('completed');
    for (const id of poison) expect((await ended(id)).status).toBe('failed');
  });

  it('ends quietly when it is deleted meanwhile, and leaves no object', async () => {
    const waiting: ServerResponse[] = [];
    server = await startRecordingServer((_req, res) => void waiting.push(res));
    const id = await ingest(server.url('/slow.wav'), { transcript: callVtt });
    await eventually(() => waiting[0]);
    expect((await service.as(org, { method: 'DELETE', url: `/api/v1/records/${id}` })).status).toBe(204);
    waiting[0]?.end(wav);
    await eventually(async () => {
      const runs = await listRuns(service.deps.connections.system, { limit: 500 });
      return runs.every((run) => run.status !== 'running') || undefined;
    });
    await eventually(async () => (await objectKeys(id)).length === 0 || undefined);
    const types = (await eventsOf(id)).map(({ type }) => type);
    expect(types).toContain('record.deleted');
    expect(types).not.toContain('record.failed');
    expect(types).not.toContain('record.completed');
    expect(await service.deps.connections.system`select from uploads`).toHaveLength(0);
  });
});

describe('an attempt that is over', () => {
  it('changes nothing any more', async () => {
    const id = await addSupplied();
    const before = await ended(id);
    const { db } = service.deps.services;
    await db.withOrg(org.orgId, async (tx) => {
      expect(await beginProcessing(tx, { recordId: id, attempt: 1 })).toEqual({ outcome: 'void' });
      expect(await beginProcessing(tx, { recordId: id, attempt: 2 })).toEqual({ outcome: 'void' });
      expect(
        await failRecord(tx, { recordId: id, attempt: 1 }, { code: 'LATE', message: 'late', retryable: false }),
      ).toBe(false);
    });
    expect(await readRecord(id)).toEqual(before);
  });
});
