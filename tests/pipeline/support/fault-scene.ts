import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Sql } from 'postgres';
import { expect } from 'vitest';
import { connect } from '../../../src/db/client.ts';
import { createDatabase } from '../../../src/db/scope.ts';
import { createOrg } from '../../../src/domain/orgs/service.ts';
import { issueToken } from '../../../src/domain/tokens/service.ts';
import { newRunId } from '../../../src/pipeline/engine/store-runs.ts';
import { createLocalStorage } from '../../../src/providers/object-storage/local.ts';
import { callVtt } from './calls.ts';
import { asAdmin, eventually, sleep } from './hosts.ts';
import { silentWav, startRecordingServer } from './recording-server.ts';
import { startService, type ServiceProcess } from './service-process.ts';
import { invoke, serverEnv } from './services.ts';

/**
 * An organization whose telephony system sends calls to a service that faults befall, on a database that is given, and
 * what has to be true of everything that was sent once the service is at rest.
 */
export type FaultScene = Awaited<ReturnType<typeof createFaultScene>>;

const wav = silentWav(800);

export async function createFaultScene(databaseUrl: string, { inngestUrl }: { inngestUrl?: string } = {}) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'earshot-faults-'));
  const server = await startRecordingServer((_req, res) => void setTimeout(() => res.end(wav), 30));
  const connections = connect({ url: databaseUrl, poolSizeMax: 4 });
  const db = createDatabase(connections);
  const { orgId, projectId, userId } = await createOrg(
    { db, system: connections.system },
    { name: 'Tormented', owner: 'owner@example.com' },
  );
  const { token } = await db.withOrg(orgId, (tx) => issueToken(tx, userId, { name: 'test', expiresAt: null }));
  const headers = { authorization: `Bearer ${token}`, 'x-selected-org-id': orgId };
  const recording = await makeRecording(dataDir);
  const services: ServiceProcess[] = [];
  const deliveries: Promise<void>[] = [];

  function start(env: Record<string, string> = {}): ServiceProcess {
    const service = startService({
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      OUTBOUND_ALLOW: '127.0.0.1',
      DATABASE_POOL_SIZE: '6',
      NODE_COMPILE_CACHE: path.join(tmpdir(), 'earshot-compile-cache'),
      ...(inngestUrl && serverEnv(inngestUrl)),
      ...env,
    });
    services.push(service);
    return service;
  }

  /** As a telephony system would: sends the next call until somebody has taken it. */
  function sendNext(addresses: () => string[]): void {
    deliveries.push(deliver(deliveries.length, addresses));
  }

  async function deliver(n: number, addresses: () => string[]): Promise<void> {
    for (;;) {
      for (const baseUrl of addresses()) {
        const response = await request(baseUrl, n).catch(() => undefined);
        if (response?.ok) return;
        if (response && response.status < 500) throw new Error(`${response.status}: ${await response.text()}`);
      }
      await sleep(50);
    }
  }

  function request(baseUrl: string, n: number): Promise<Response> {
    const signal = AbortSignal.timeout(10_000);
    if (n % 10 === 3) {
      const call = { externalId: `x-${n}`, projectId, recordingUrl: server.url(`/${n}.wav`), transcript: callVtt };
      return fetch(`${baseUrl}/api/v1/records/ingest`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(call),
        signal,
      });
    }
    const form = new FormData();
    form.set('projectId', projectId);
    form.set('metadata', JSON.stringify({ externalId: `x-${n}` }));
    // A few go through speech recognition, where there is one; without, they fail with a reason.
    const isHeard = n % 25 === 7;
    if (!isHeard) form.set('transcript', callVtt);
    form.set('file', new Blob([Uint8Array.from(isHeard ? recording : wav)]), `${n}.wav`);
    return fetch(`${baseUrl}/api/v1/records/upload`, { method: 'POST', headers, body: form, signal });
  }

  /** Waits until every call has been taken and everything is at rest, sweeps, and looks at what there is. Gives the number of records. */
  async function expectNothingLost(): Promise<number> {
    await Promise.all(deliveries);
    await eventually(async () => (await isAtRest(connections.system)) || undefined, 60_000);
    await ageTraces({ databaseUrl, dataDir });
    await runSweep();
    await eventually(async () => (await isAtRest(connections.system)) || undefined, 20_000);
    return expectInvariants({ databaseUrl, dataDir, callCount: deliveries.length });
  }

  async function runSweep(): Promise<void> {
    if (inngestUrl) await invoke(inngestUrl, 'sweep');
    else await startSweep(connections.system);
  }

  async function close(): Promise<void> {
    await Promise.all(services.map((service) => service.kill()));
    await server.close();
    await connections.close();
    await rm(dataDir, { recursive: true, force: true });
  }

  return {
    dataDir,
    orgId,
    projectId,
    headers,
    db,
    start,
    sendNext,
    runSweep,
    expectNothingLost,
    close,
    sent: () => deliveries.length,
    /** Once everything that was sent has been taken. */
    allTaken: async () => void (await Promise.all(deliveries)),
  };
}

/** Short, spoken where the machine can speak. */
async function makeRecording(dataDir: string): Promise<Buffer> {
  const file = path.join(dataDir, 'spoken.wav');
  try {
    await promisify(execFile)('flite', ['-t', 'thank you for calling, how can I help you', '-o', file]);
    return await readFile(file);
  } catch {
    return wav;
  }
}

type Traces = { databaseUrl: string; dataDir: string };

/** As if everything that was left behind had been lying there for long. */
async function ageTraces({ databaseUrl, dataDir }: Traces): Promise<void> {
  await asAdmin(databaseUrl, (sql) => sql`update uploads set created_at = now() - interval '2 hours'`);
  const long = new Date(Date.now() - 86_400_000);
  for (const folder of [path.join(dataDir, 'work'), path.join(dataDir, 'objects', '.incoming')]) {
    for (const name of await readdir(folder).catch(() => [])) await utimes(path.join(folder, name), long, long);
  }
}

async function startSweep(system: Sql): Promise<void> {
  const id = newRunId();
  const event = { id, name: 'inngest/scheduled.timer', data: { cron: '* * * * *' }, ts: Date.now() };
  await system.begin(async (tx) => {
    await tx`insert into engine_runs (id, function_id, event_id, event, lane)
      values (${id}, 'earshot-sweep', ${id}, ${tx.json(event)}, 'earshot-sweep:')`;
    await tx`insert into engine_queue (run_id, step_id, function_id, lane) values (${id}, 'step', 'earshot-sweep', 'earshot-sweep:')`;
    await tx`select pg_notify('earshot_engine', '')`;
  });
}

async function isAtRest(system: Sql): Promise<boolean> {
  const [row] = await system<{ busy: number }[]>`
    select (select count(*) from records where status in ('pending', 'processing'))::int
         + (select count(*) from outbox where dispatched_at is null)::int
         + (select count(*) from engine_queue)::int + (select count(*) from engine_waits)::int as busy`;
  return row?.busy === 0;
}

async function expectInvariants({ databaseUrl, dataDir, callCount }: Traces & { callCount: number }): Promise<number> {
  return asAdmin(databaseUrl, async (sql) => {
    const records = await sql<
      { id: string; status: string; failure: { code?: string } | null; storage_key: string | null }[]
    >`
      select id, status, failure, storage_key from records`;
    expect(records.length).toBeGreaterThanOrEqual(callCount);
    expect(
      records.filter(({ status, failure }) => status !== 'completed' && !(status === 'failed' && failure?.code)),
    ).toEqual([]);
    expect(records.filter(({ status }) => status === 'completed').length).toBeGreaterThanOrEqual(callCount * 0.9);

    const [calls] = await sql<{ n: number }[]>`select count(distinct external_id)::int as n from records`;
    expect(calls?.n).toBe(callCount);

    expect(
      await sql`
      select r.id from records r left join analyses a on a.record_id = r.id and a.current
       group by r.id, r.status, r.analysis_id
      having count(a.id) <> case r.status when 'completed' then 1 else 0 end
          or (r.status = 'completed' and r.analysis_id is distinct from min(a.id))`,
    ).toEqual([]);
    expect(await sql`select record_id from analyses group by record_id having count(*) > 1`).toEqual([]);

    expect(
      await sql`
      select type, data->>'recordId' as record, count(*)::int as n from outbox
       where type in ('record.created', 'record.completed', 'record.failed', 'analysis.completed')
       group by 1, 2 having count(*) > 1`,
    ).toEqual([]);
    expect(
      await sql`
      select r.id, r.status from records r
       where not exists (select from outbox o where o.data->>'recordId' = r.id and o.type = 'record.' || r.status)`,
    ).toEqual([]);

    expect(
      await sql`
      select status, count(*)::int as n from records group by status order by status`,
    ).toEqual(
      (
        await sql`select sum(completed)::int as completed, sum(failed)::int as failed, sum(pending + processing)::int as open from record_days`
      )
        .flatMap(({ completed, failed, open }) => [
          { status: 'completed', n: completed },
          { status: 'failed', n: failed },
          { status: 'open', n: open },
        ])
        .filter(({ n }) => n > 0),
    );
    expect(await sql`select id, status, error from engine_runs where status = 'running'`).toEqual([]);
    expect(await sql`select from uploads`).toHaveLength(0);

    const keys: string[] = [];
    for await (const { key } of createLocalStorage({ directory: path.join(dataDir, 'objects') }).list()) keys.push(key);
    expect(keys.toSorted()).toEqual(records.flatMap(({ storage_key }) => storage_key ?? []).toSorted());
    expect(await readdir(path.join(dataDir, 'work')).catch(() => [])).toEqual([]);
    expect(
      (await readdir(path.join(dataDir, 'objects', '.incoming'))).filter((name) => !name.startsWith('check')),
    ).toEqual([]);
    return records.length;
  });
}
