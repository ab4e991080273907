import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, type Connections } from '../../src/db/client.ts';
import { createDatabase, type Database } from '../../src/db/scope.ts';
import { createOrg } from '../../src/domain/orgs/service.ts';
import { issueToken } from '../../src/domain/tokens/service.ts';
import { newRunId } from '../../src/pipeline/engine/store-runs.ts';
import { createLocalStorage } from '../../src/providers/object-storage/local.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { callVtt } from './support/calls.ts';
import { asAdmin, eventually, sleep } from './support/hosts.ts';
import { silentWav, startRecordingServer, type RecordingServer } from './support/recording-server.ts';
import { startService, type ServiceProcess } from './support/service-process.ts';

const seed = Number(process.env['KILL_SEED'] ?? 20_261_121);
const killCount = Number(process.env['KILL_COUNT'] ?? 50);
const callCount = killCount * 2;

let database: TestDatabase;
let connections: Connections;
let db: Database;
let dataDir: string;
let server: RecordingServer;
let org: { orgId: string; projectId: string; token: string };
const services: ServiceProcess[] = [];
const wav = silentWav(800);

beforeAll(async () => {
  database = await createTestDatabase();
  connections = connect({ url: database.url, poolSizeMax: 4 });
  db = createDatabase(connections);
  dataDir = await mkdtemp(path.join(tmpdir(), 'earshot-kill-'));
  server = await startRecordingServer((_req, res) => void setTimeout(() => res.end(wav), 30));
  const { orgId, projectId, userId } = await createOrg(
    { db, system: connections.system },
    { name: 'Killed', owner: 'owner@example.com' },
  );
  const { token } = await db.withOrg(orgId, (tx) => issueToken(tx, userId, { name: 'test', expiresAt: null }));
  org = { orgId, projectId, token };
});

afterAll(async () => {
  await Promise.all(services.map((service) => service.kill()));
  await server.close();
  await connections.close();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** mulberry32: the same moments each time, as far as a machine allows. */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function start(): ServiceProcess {
  const service = startService({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    OUTBOUND_ALLOW: '127.0.0.1',
    DATABASE_POOL_SIZE: '6',
    NODE_COMPILE_CACHE: path.join(tmpdir(), 'earshot-compile-cache'),
  });
  services.push(service);
  return service;
}

/** Short, spoken where the machine can speak. */
async function makeRecording(): Promise<Buffer> {
  const file = path.join(dataDir, 'spoken.wav');
  try {
    await promisify(execFile)('flite', ['-t', 'thank you for calling, how can I help you', '-o', file]);
    return await readFile(file);
  } catch {
    return wav;
  }
}

type Call = { n: number; recording: Buffer };

function request(baseUrl: string, { n, recording }: Call): Promise<Response> {
  const headers = { authorization: `Bearer ${org.token}`, 'x-selected-org-id': org.orgId };
  const signal = AbortSignal.timeout(10_000);
  if (n % 10 === 3) {
    const { projectId } = org;
    const body = JSON.stringify({
      externalId: `x-${n}`,
      projectId,
      recordingUrl: server.url(`/${n}.wav`),
      transcript: callVtt,
    });
    return fetch(`${baseUrl}/api/v1/records/ingest`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      signal,
    });
  }
  const form = new FormData();
  form.set('projectId', org.projectId);
  form.set('metadata', JSON.stringify({ externalId: `x-${n}` }));
  // A few go through speech recognition, where there is one; without, they fail with a reason.
  const isHeard = n % 25 === 7;
  if (!isHeard) form.set('transcript', callVtt);
  form.set('file', new Blob([Uint8Array.from(isHeard ? recording : wav)]), `${n}.wav`);
  return fetch(`${baseUrl}/api/v1/records/upload`, { method: 'POST', headers, body: form, signal });
}

/** As a telephony system would: sends a call until somebody has taken it. */
async function deliver(call: Call, addresses: () => string[]): Promise<void> {
  for (;;) {
    for (const baseUrl of addresses()) {
      const response = await request(baseUrl, call).catch(() => undefined);
      if (response?.ok) return;
      if (response && response.status < 500) throw new Error(`${response.status}: ${await response.text()}`);
    }
    await sleep(50);
  }
}

async function sweep(system: Sql): Promise<void> {
  await asAdmin(database.url, (sql) => sql`update uploads set created_at = now() - interval '2 hours'`);
  const long = new Date(Date.now() - 86_400_000);
  for (const folder of [path.join(dataDir, 'work'), path.join(dataDir, 'objects', '.incoming')]) {
    for (const name of await readdir(folder).catch(() => [])) await utimes(path.join(folder, name), long, long);
  }
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

it(`ends every call once, whole and with nothing left behind, after ${killCount} kills at random moments`, async () => {
  const random = randomFrom(seed);
  const recording = await makeRecording();
  const { system } = connections;
  const addresses = new Map<number, string>();
  const kills = { done: 0 };
  const deliveries: Promise<void>[] = [];
  const sendNext = (): void => {
    if (deliveries.length >= callCount) return;
    deliveries.push(deliver({ n: deliveries.length, recording }, () => [...addresses.values()]));
  };

  // Two instances on one database, each killed and started again: now one is up, now the other, at times neither.
  const torment = async (slot: number): Promise<void> => {
    while (kills.done < killCount) {
      const service = start();
      const isEarly = random() < 0.3;
      if (isEarly) {
        await sleep(random() * 700);
      } else {
        addresses.set(slot, await service.ready);
        sendNext();
        sendNext();
        await sleep(random() * 600);
      }
      addresses.delete(slot);
      await service.kill();
      kills.done += 1;
    }
  };
  await Promise.all([torment(0), torment(1)]);
  const last = start();
  addresses.set(0, await last.ready);
  while (deliveries.length < callCount) sendNext();
  await Promise.all(deliveries);
  await eventually(async () => (await isAtRest(system)) || undefined, 60_000);
  await sweep(system);
  await eventually(async () => (await isAtRest(system)) || undefined, 20_000);

  expect(kills.done).toBeGreaterThanOrEqual(killCount);
  await expectInvariants();
  await last.kill('SIGTERM');
}, 400_000);

async function expectInvariants(): Promise<void> {
  await asAdmin(database.url, async (sql) => {
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
  });
}
