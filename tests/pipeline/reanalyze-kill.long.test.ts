import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, type Connections } from '../../src/db/client.ts';
import { createDatabase } from '../../src/db/scope.ts';
import { createOrg } from '../../src/domain/onboarding/service.ts';
import { issueToken } from '../../src/domain/tokens/service.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { sendJson, speechServer } from '../support/speech-server.ts';
import { record } from '../support/voices.ts';
import { callVtt } from './support/calls.ts';
import { eventually } from './support/hosts.ts';
import { startService, type ServiceProcess } from './support/service-process.ts';

let database: TestDatabase;
let connections: Connections;
let dataDir: string;
let headers: Record<string, string>;
let projectId: string;
const services: ServiceProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  connections = connect({ url: database.url, poolSizeMax: 4 });
  dataDir = await mkdtemp(path.join(tmpdir(), 'earshot-reanalyze-'));
  const db = createDatabase(connections);
  const org = await createOrg({ db, system: connections.system }, { name: 'Killed', owner: 'owner@example.com' });
  const { token } = await db.withOrg(org.orgId, (tx) => issueToken(tx, org.userId, { name: 'test', expiresAt: null }));
  headers = { authorization: `Bearer ${token}`, 'x-selected-org-id': org.orgId };
  projectId = org.projectId;
});

afterAll(async () => {
  await Promise.all(services.map((service) => service.kill()));
  await connections.close();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(speechUrl: string): Promise<{ service: ServiceProcess; baseUrl: string }> {
  const service = startService({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    SPEECH_ENGINE: 'deepgram',
    DEEPGRAM_API_KEY: 'key',
    DEEPGRAM_BASE_URL: speechUrl,
  });
  services.push(service);
  return { service, baseUrl: `${await service.ready}/api/v1` };
}

type Body = ReturnType<typeof JSON.parse>;

async function get(url: string): Promise<Body> {
  return ((await (await fetch(url, { headers })).json()) as { data: unknown }).data;
}

async function upload(baseUrl: string): Promise<string> {
  const { file } = await record(dataDir, {
    lines: [{ channel: 0, voice: 'slt', text: 'thank you for calling' }],
    format: 'wav',
    sampleRate: 16_000,
    layout: 'mixed',
  });
  const form = new FormData();
  form.set('projectId', projectId);
  form.set('transcript', callVtt);
  form.set('file', new Blob([Uint8Array.from(await readFile(file))]), 'call.wav');
  const response = await fetch(`${baseUrl}/records/upload`, { method: 'POST', headers, body: form });
  return ((await response.json()) as Body).data.id;
}

const heard = {
  metadata: { request_id: 'r' },
  results: {
    channels: [{ detected_language: 'en', alternatives: [{ transcript: 'Abracadabra.', confidence: 0.9, words: [] }] }],
    utterances: [
      {
        start: 0.2,
        end: 0.9,
        confidence: 0.95,
        channel: 0,
        speaker: 0,
        transcript: 'Abracadabra.',
        words: [{ word: 'abracadabra', start: 0.2, end: 0.9, confidence: 0.95, punctuated_word: 'Abracadabra.' }],
      },
    ],
  },
};

it('survives kill -9 while the recording is heard again, and publishes what was heard once', async () => {
  // The first request is never answered: whoever asks is killed meanwhile.
  const looked = Promise.withResolvers<void>();
  const server = await speechServer((_request, response, count) => {
    if (count > 1) void looked.promise.then(() => sendJson(response, heard));
  });
  const first = await start(server.baseUrl);
  const recordId = await upload(first.baseUrl);
  const before = await eventually(async () => {
    const found = await get(`${first.baseUrl}/records/${recordId}`);
    return found.status === 'completed' ? found : undefined;
  });
  const profileId = (await get(`${first.baseUrl}/profiles`))[0].id;
  const ordered = await fetch(`${first.baseUrl}/analyses/${before.analysisId}/re-analyze`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ profileId, retranscribe: true }),
  });
  expect(ordered.status).toBe(202);
  const { id } = ((await ordered.json()) as Body).data;
  await eventually(() => server.received.length > 0 || undefined);
  await first.service.kill('SIGKILL');

  const { baseUrl } = await start(server.baseUrl);
  expect(await get(`${baseUrl}/records/${recordId}`)).toEqual(before);
  looked.resolve();
  const analysis = await eventually(async () => {
    const found = await get(`${baseUrl}/analyses/${id}`);
    return ['completed', 'failed'].includes(found.status) ? found : undefined;
  });
  expect(analysis).toMatchObject({ status: 'completed', version: 2, current: true, failure: null });
  expect(analysis.segments.map(({ text }: { text: string }) => text)).toEqual(['Abracadabra.']);
  const after = await get(`${baseUrl}/records/${recordId}`);
  expect(after).toMatchObject({ status: 'completed', analysisId: id, completedAt: before.completedAt });
  expect(after.duration).toBeLessThan(10);
  expect(await get(`${baseUrl}/records/${recordId}/transcript`)).toMatchObject({
    source: 'speech-to-text',
    text: 'Abracadabra.',
  });
  const { system } = connections;
  const events = await system`select from outbox where type = 'analysis.completed' and data->>'analysisId' = ${id}`;
  expect(events).toHaveLength(1);
  // The old version keeps the transcript that it rests on.
  expect((await get(`${baseUrl}/analyses/${before.analysisId}`)).segments.length).toBeGreaterThan(5);
});
