import { rm } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '../../src/db/client.ts';
import { createDatabase } from '../../src/db/scope.ts';
import { createOrg } from '../../src/domain/onboarding/service.ts';
import { issueToken } from '../../src/domain/tokens/service.ts';
import { silentWav } from '../pipeline/support/recording-server.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { largeRubric, longVtt } from '../support/long-calls.ts';
import { slownessOfPrograms } from '../support/slowness.ts';
import { newDataDir, startService, type RunningProcess } from './support.ts';

/** Of a machine that has nothing else to do. What scores on the event loop is silent for many seconds. */
const healthMsMax = 100;
const patienceMs = 120_000;

let database: TestDatabase;
let folder: string;
let service: RunningProcess;
let api: string;
let headers: Record<string, string>;
let projectId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await newDataDir();
  service = startService({ DATA_DIR: folder, DATABASE_URL: database.url, LOG_LEVEL: 'info' });
  const { baseUrl } = await service.healthy();
  api = `${baseUrl}/api/v1`;
  const connections = connect({ url: database.url, poolSizeMax: 2 });
  const db = createDatabase(connections);
  const org = await createOrg({ db, system: connections.system }, { name: 'Long', owner: 'owner@example.com' });
  const { token } = await db.withOrg(org.orgId, (tx) => issueToken(tx, org.userId, { name: 'test', expiresAt: null }));
  await connections.close();
  projectId = org.projectId;
  headers = { authorization: `Bearer ${token}`, 'x-selected-org-id': org.orgId };
}, patienceMs);

afterAll(async () => {
  await service.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Untyped: the test says what it expects of it. */
async function read(response: Response): Promise<ReturnType<typeof JSON.parse>> {
  return JSON.parse(await response.text());
}

async function post(path: string, body: object) {
  const response = await fetch(`${api}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, data: (await read(response)).data };
}

async function upload(transcript: string) {
  const form = new FormData();
  form.set('projectId', projectId);
  form.set('transcript', transcript);
  form.set('file', new Blob([Uint8Array.from(silentWav(1000))]), 'call.wav');
  const response = await fetch(`${api}/records/upload`, { method: 'POST', headers, body: form });
  return { status: response.status, data: (await read(response)).data };
}

async function scored(id: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${api}/records/${id}`, { headers });
    const { status, failure } = (await read(response)).data;
    if (status === 'completed') return;
    if (status === 'failed') throw new Error(failure.message);
    await sleep(50);
  }
}

/** How long each look at the health of the service took while the work was going on. Throws where it was not well. */
async function healthDuring(work: () => Promise<unknown>): Promise<{ medianMs: number; longestMs: number }> {
  const tookMs: number[] = [];
  const statuses = new Set<number>();
  const state = { isOver: false };
  const looking = (async () => {
    while (!state.isOver) {
      const from = performance.now();
      statuses.add((await fetch(`${api}/health`)).status);
      tookMs.push(performance.now() - from);
      await sleep(10);
    }
  })();
  await work().finally(() => (state.isOver = true));
  await looking;
  expect([...statuses]).toEqual([200]);
  tookMs.sort((a, b) => a - b);
  return { medianMs: tookMs[Math.floor(tookMs.length / 2)] ?? Infinity, longestMs: tookMs.at(-1) ?? Infinity };
}

it(
  'long calls and large profiles keep nobody waiting who asks for something else',
  async () => {
    const busyness = Math.max(1, (loadavg()[0] ?? 0) / availableParallelism()) * (await slownessOfPrograms());
    const { data: profile } = await post('/profiles', { name: 'Everything', ...largeRubric });
    const megabyte = longVtt(140_000);
    expect(megabyte.length).toBeGreaterThan(1_000_000);
    const { medianMs, longestMs } = await healthDuring(async () => {
      const { status, data } = await upload(megabyte);
      expect(status).toBe(201);
      await scored(data.id);
      const short = await upload(longVtt(30_000));
      await scored(short.data.id);
      const preview = await post(`/profiles/${profile.id}/preview`, { recordId: short.data.id });
      expect(preview.status).toBe(200);
    });
    expect(medianMs).toBeLessThan(healthMsMax * busyness);
    expect(longestMs).toBeLessThan(5 * healthMsMax * busyness);
  },
  patienceMs,
);

it(
  'a transcript beyond all measure is refused at once',
  async () => {
    const cue = (n: number): string => `00:${String(n % 60).padStart(2, '0')}.000 --> 99:00.000\n${'a '.repeat(120)}`;
    const text = `WEBVTT\n\n${Array.from({ length: 19_000 }, (_, n) => cue(n)).join('\n\n')}\n`;
    expect(text.length).toBeGreaterThan(4_900_000 - 500_000);
    const { longestMs } = await healthDuring(async () => expect((await upload(text)).status).toBe(413));
    const busyness = Math.max(1, (loadavg()[0] ?? 0) / availableParallelism()) * (await slownessOfPrograms());
    expect(longestMs).toBeLessThan(5 * healthMsMax * busyness);
  },
  patienceMs,
);
