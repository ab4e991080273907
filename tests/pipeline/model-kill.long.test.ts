import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, type Connections } from '../../src/db/client.ts';
import { createDatabase, type Database } from '../../src/db/scope.ts';
import { createOrg } from '../../src/domain/onboarding/service.ts';
import { newRecordId } from '../../src/domain/records/service.ts';
import { createRecord } from '../../src/domain/intake/service.ts';
import { parseSuppliedTranscript } from '../../src/domain/transcripts/supplied-transcript.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { kept } from './support/calls.ts';
import { eventually } from './support/hosts.ts';
import { startService, type ServiceProcess } from './support/service-process.ts';

const answer = { answers: [], summary: [], improvements: [], topics: [], actionItems: [] };
const text = JSON.stringify(answer);
const hangsAt = 3;

let database: TestDatabase;
let connections: Connections;
let db: Database;
let dataDir: string;
let server: ModelServer;
const services: ServiceProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  connections = connect({ url: database.url, poolSizeMax: 4 });
  db = createDatabase(connections);
  dataDir = await mkdtemp(path.join(tmpdir(), 'earshot-model-'));
  server = await startModelServer(({ count }) => (count === hangsAt ? 'hang' : { text, input: 1000, output: 100 }));
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.kill()));
  await server.close();
  await connections.close();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<ServiceProcess> {
  const service = startService({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    ANALYSIS_ENGINE: 'model',
    ANALYSIS_MODEL: 'scripted',
    ANALYSIS_WINDOW_TOKENS: '600',
    ANALYSIS_PRICE_INPUT_PER_MILLION: '1',
    OPENAI_BASE_URL: server.baseUrl,
  });
  services.push(service);
  await service.ready;
  return service;
}

it('a model that was asked when the process was killed is asked on from there, and charged once', async () => {
  const org = await createOrg({ db, system: connections.system }, { name: 'Killed', owner: 'owner@example.com' });
  const id = newRecordId();
  const cues = Array.from({ length: 60 }, (_, n) => {
    const at = `00:${String(n).padStart(2, '0')}`;
    return `${at}.000 --> ${at}.900\n<v ${n % 2 ? 'Customer' : 'Agent'}>let us go through this point by point number ${n}`;
  });
  const transcript = `WEBVTT\n\n${cues.join('\n\n')}\n`;
  const call = kept(parseSuppliedTranscript({ text: transcript, recordId: id, language: 'en', agentName: null }));
  await db.withOrg(org.orgId, (tx) =>
    createRecord(tx, { id, projectId: org.projectId, source: 'upload', durationSeconds: 60 }, call),
  );
  const first = await start();
  await eventually(() => server.received[hangsAt - 1]);
  await first.kill('SIGKILL');
  await start();
  const [analysis] = await eventually(async () => {
    const rows = await db.withOrg(org.orgId, (tx) =>
      tx.execute(`select engine_kind, input_tokens, output_tokens, model_cost from analyses where current`),
    );
    return rows.length > 0 ? rows : undefined;
  });
  const prompts = server.received.map(({ user }) => user);
  const windows = prompts.length - 1;
  expect(windows).toBeGreaterThan(3);
  expect(prompts[hangsAt]).toBe(prompts[hangsAt - 1]);
  expect(new Set(prompts).size).toBe(windows);
  expect(analysis).toEqual({
    engine_kind: 'model',
    input_tokens: 1000 * windows,
    output_tokens: 100 * windows,
    model_cost: (windows * 0.001).toFixed(4),
  });
  const usage = await db.withOrg(org.orgId, (tx) =>
    tx.execute(`select analysis_cost from usage_entries union all select 0 from model_answers`),
  );
  expect(usage).toEqual([{ analysis_cost: (0.01 + windows * 0.001).toFixed(4) }]);
});
