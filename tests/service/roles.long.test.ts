import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../src/db/client.ts';
import { createDatabase } from '../../src/db/scope.ts';
import { createOrg } from '../../src/domain/onboarding/service.ts';
import { issueToken } from '../../src/domain/tokens/service.ts';
import { wavHeader } from '../api/upload-support.ts';
import { callVtt } from '../pipeline/support/calls.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { newDataDir, startService, type RunningProcess } from './support.ts';

const patienceMs = 180_000;
const wav = Buffer.concat([wavHeader(16_044), Buffer.alloc(16_000)]);

let database: TestDatabase;
let folder: string;
let headers: Record<string, string>;
let projectId: string;
const running: RunningProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await newDataDir();
  const connections = connect({ url: database.url, poolSizeMax: 2 });
  const db = createDatabase(connections);
  const org = await createOrg({ db, system: connections.system }, { name: 'Org', owner: 'a@example.com' });
  const { token } = await db.withOrg(org.orgId, (tx) => issueToken(tx, org.userId, { name: 'test', expiresAt: null }));
  await connections.close();
  headers = { authorization: `Bearer ${token}`, 'x-selected-org-id': org.orgId };
  ({ projectId } = org);
});

afterAll(async () => {
  for (const { child, stop } of running) if (child.exitCode === null && child.signalCode === null) await stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function start(env: Record<string, string>): Promise<{ service: RunningProcess; baseUrl: string }> {
  const service = startService({ DATA_DIR: folder, DATABASE_URL: database.url, ...env });
  running.push(service);
  const { baseUrl = '' } = await service.logged('ready');
  return { service, baseUrl };
}

async function get(url: string): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }> {
  const response = await fetch(url, { headers });
  return { status: response.status, body: await response.json() };
}

async function upload(baseUrl: string): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([wav]), 'call.wav');
  form.set('projectId', projectId);
  form.set('transcript', callVtt);
  const response = await fetch(`${baseUrl}/api/v1/records/upload`, { method: 'POST', headers, body: form });
  expect(response.status).toBe(201);
  const { data } = (await response.json()) as { data: { id: string } };
  return data.id;
}

describe('a service in two processes', () => {
  it(
    'takes calls in the one and processes them in the other, however long that one is away',
    { timeout: patienceMs },
    async () => {
      const { service: web, baseUrl } = await start({ ROLE: 'web', SHUTDOWN_DELAY_SECONDS: '4' });
      const early = await upload(baseUrl);
      const alone = await get(`${baseUrl}/api/v1/health`);
      expect([alone.status, alone.body.data.checks]).toEqual([
        503,
        { database: 'ok', storage: 'ok', pipeline: 'down' },
      ]);
      const ready = await get(`${baseUrl}/health/ready`);
      expect([ready.status, ready.body.data.status]).toEqual([200, 'ready']);
      expect((await get(`${baseUrl}/api/v1/records/${early}`)).body.data.status).toBe('pending');

      const worker = await start({ ROLE: 'worker' });
      const late = await upload(baseUrl);
      for (const id of [early, late]) {
        const statusOf = async () => (await get(`${baseUrl}/api/v1/records/${id}`)).body.data.status;
        await expect.poll(statusOf, { timeout: 60_000 }).toBe('completed');
      }
      expect((await get(`${baseUrl}/api/v1/health`)).status).toBe(200);

      expect((await get(`${worker.baseUrl}/api/v1/records`)).status).toBe(404);
      expect((await get(`${worker.baseUrl}/health/ready`)).body.data).toMatchObject({
        status: 'ready',
        role: 'worker',
      });
      expect((await get(`${worker.baseUrl}/health/live`)).body.data).toEqual({ status: 'live', role: 'worker' });
      const figures = async () => (await fetch(`${worker.baseUrl}/metrics`)).text();
      await expect
        .poll(figures, { timeout: 45_000 })
        .toMatch(/earshot_pipeline_runs_total\{function="process-record",outcome="completed"\} 2/);
      expect(await figures()).toContain('earshot_pipeline_workers{engine="embedded"} 1');
      const ofWeb = await (await fetch(`${baseUrl}/metrics`)).text();
      expect(ofWeb).not.toContain('earshot_pipeline_runs_total{');

      expect(await worker.service.stop()).toMatchObject({ code: 0 });
      const stopping = web.stop();
      await expect.poll(async () => (await get(`${baseUrl}/health/ready`)).body.data.status).toBe('stopping');
      expect((await get(`${baseUrl}/health/ready`)).status).toBe(503);
      expect((await get(`${baseUrl}/health/live`)).status).toBe(200);
      expect((await get(`${baseUrl}/api/v1/records`)).status).toBe(200);
      const stopped = await stopping;
      expect(stopped).toMatchObject({ code: 0 });
      expect(stopped.tookMs).toBeGreaterThan(4_000);
    },
  );
});
