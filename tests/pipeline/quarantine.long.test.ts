import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { connect, type Connections } from '../../src/db/client.ts';
import { createDatabase, type Database } from '../../src/db/scope.ts';
import { createOrg } from '../../src/domain/onboarding/service.ts';
import { newRecordId } from '../../src/domain/records/service.ts';
import { createRecord } from '../../src/domain/intake/service.ts';
import { createLocalStorage } from '../../src/providers/object-storage/local.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { sendJson, speechServer } from '../support/speech-server.ts';
import { suppliedTranscript } from './support/calls.ts';
import { createDeadlyTool, markedWav, type DeadlyTool } from './support/deadly-tool.ts';
import { eventually } from './support/hosts.ts';
import { startService, type ServiceProcess } from './support/service-process.ts';

let database: TestDatabase;
let connections: Connections;
let db: Database;
let org: Awaited<ReturnType<typeof createOrg>>;
let dataDir: string;
let tool: DeadlyTool;
let env: Record<string, string>;
let services: ServiceProcess[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  connections = connect({ url: database.url, poolSizeMax: 4 });
  db = createDatabase(connections);
  org = await createOrg({ db, system: connections.system }, { name: 'Unlucky', owner: 'owner@example.com' });
  dataDir = await mkdtemp(path.join(tmpdir(), 'earshot-quarantine-'));
  tool = await createDeadlyTool();
  const deepgram = await speechServer((_, response) =>
    sendJson(response, { results: { utterances: [], channels: [] } }),
  );
  env = {
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: '6',
    DATA_DIR: dataDir,
    PATH: tool.path,
    SPEECH_ENGINE: 'deepgram',
    DEEPGRAM_API_KEY: 'key',
    DEEPGRAM_BASE_URL: deepgram.baseUrl,
  };
});
afterEach(async () => {
  await Promise.all(services.map((service) => service.kill()));
  services = [];
  await connections.close();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

function start(): ServiceProcess {
  const service = startService(env);
  services.push(service);
  return service;
}

async function addCall(recording: Buffer | null): Promise<string> {
  const id = newRecordId();
  const storageKey = `${org.orgId}/${id}`;
  const call = { id, projectId: org.projectId, source: 'upload' as const };
  if (recording) {
    await createLocalStorage({ directory: path.join(dataDir, 'objects') }).put(storageKey, Readable.from([recording]));
  }
  await db.withOrg(org.orgId, (tx) =>
    recording
      ? createRecord(tx, { ...call, storageKey, fileContentType: 'audio/wav' }, null)
      : createRecord(tx, call, suppliedTranscript(id)),
  );
  return id;
}

type Row = { status: string; failure: { code: string; retryable: boolean } | null };

async function stateOf(id: string): Promise<Row> {
  const [row] = await db.withOrg(org.orgId, (tx) =>
    tx.execute<Row>(`select status, failure from records where id = '${id}'`),
  );
  return row ?? { status: 'deleted', failure: null };
}

/** With no time lost on waiting for the next attempt. */
async function hurry(): Promise<void> {
  await connections.system`update engine_queue set available_at = now() where available_at > now()`;
}

const ended = (id: string): Promise<Row> =>
  eventually(async () => {
    await hurry();
    const row = await stateOf(id);
    return ['completed', 'failed'].includes(row.status) ? row : undefined;
  }, 90_000);

it('a call is completed that was under way while its service was killed twelve times', async () => {
  const slow = await addCall(markedWav('slow'));
  let deliveries = 0;
  for (let kill = 1; kill <= 12; kill += 1) {
    const service = start();
    // Wherever it is worked on by now.
    deliveries = await eventually(async () => {
      await hurry();
      const [row] = await connections.system<{ deliveries: number }[]>`
        select deliveries from engine_queue
         where owner is not null and deliveries > ${deliveries} and function_id = 'earshot-transcribe-recording'`;
      return row?.deliveries;
    }, 60_000);
    await service.kill();
  }
  const [row] = await connections.system<{ losses: number; crashes: number }[]>`
    select losses, crashes from engine_queue where function_id = 'earshot-transcribe-recording'`;
  expect(row?.losses).toBeGreaterThanOrEqual(10);
  expect(row?.crashes).toBe(0);
  await tool.letSlowPass();
  start();
  expect(await ended(slow)).toEqual({ status: 'completed', failure: null });
  await expectNoFolders();
}, 300_000);

it('a call that kills whoever works on it is given up, and takes the service along a few times only', async () => {
  const poison = await addCall(markedWav('poison'));
  const slow = await addCall(markedWav('slow'));
  let deaths = 0;
  let current = start();
  const restart = setInterval(() => {
    if (!current.hasEnded()) return;
    deaths += 1;
    current = start();
  }, 100);
  try {
    await eventually(() => deaths > 0 || undefined, 60_000);
    await tool.letSlowPass();
    const { status, failure } = await ended(poison);
    expect({ status, ...failure }).toMatchObject({ status: 'failed', code: 'WORKER_LOST', retryable: true });
    expect(deaths).toBeLessThanOrEqual(4);
    const atTheEnd = deaths;
    const other = await addCall(null);
    for (const id of [slow, other]) expect(await ended(id)).toEqual({ status: 'completed', failure: null });
    expect(deaths).toBe(atTheEnd);
  } finally {
    clearInterval(restart);
  }
}, 300_000);

/** Nothing of those that were killed is left on the disk. */
async function expectNoFolders(): Promise<void> {
  await expect.poll(() => readdir(path.join(dataDir, 'work'), { recursive: true }).catch(() => [])).toEqual([]);
}
