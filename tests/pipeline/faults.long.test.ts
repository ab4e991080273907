import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { createTestDatabase } from '../support/database.ts';
import { readyServer } from '../support/postmaster.ts';
import { createFaultScene } from './support/fault-scene.ts';
import { sleep } from './support/hosts.ts';
import { silentWav } from './support/recording-server.ts';

const log = createLogger('silent');
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function sceneOn(databaseUrl: string) {
  const scene = await createFaultScene(databaseUrl);
  cleanups.push(scene.close);
  return scene;
}

it('loses nothing while Postgres is killed and comes back every few seconds', async () => {
  const postgresDir = await mkdtemp(path.join(tmpdir(), 'earshot-faults-postgres-'));
  cleanups.push(() => rm(postgresDir, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres({ dataDir: postgresDir, log });
  cleanups.push(() => postgres.stop());
  await migrate({ url: postgres.url, log });
  const scene = await sceneOn(postgres.url);
  const baseUrl = await scene.start().ready;

  let server = await readyServer(postgresDir);
  for (let outage = 0; outage < 5; outage += 1) {
    for (let call = 0; call < 6; call += 1) {
      scene.sendNext(() => [baseUrl]);
      await sleep(150);
    }
    // The watch brings it back on its old port, as systemd or a container's supervisor would.
    process.kill(server, outage % 2 === 0 ? 'SIGKILL' : 'SIGINT');
    scene.sendNext(() => [baseUrl]);
    server = await readyServer(postgresDir, { killed: server });
  }
  expect(await scene.expectNothingLost()).toBeGreaterThanOrEqual(scene.sent());
}, 300_000);

it('ends within ten seconds of SIGTERM under load, and has kept every call that it said it took', async () => {
  await using database = await createTestDatabase();
  const scene = await sceneOn(database.url);
  const addresses = new Map<string, string>();
  let current = scene.start();
  addresses.set('current', await current.ready);
  for (let restart = 0; restart < 3; restart += 1) {
    for (let call = 0; call < 10; call += 1) scene.sendNext(() => [...addresses.values()]);
    await sleep(100);
    const from = performance.now();
    await current.kill('SIGTERM');
    expect(performance.now() - from).toBeLessThan(10_000);
    // Somebody else may listen there by now.
    addresses.delete('current');
    current = scene.start();
    addresses.set('current', await current.ready);
  }
  expect(await scene.expectNothingLost()).toBeGreaterThanOrEqual(scene.sent());
}, 240_000);

it('answers in its envelope when the storage is full, leaves nothing behind, and goes on', async () => {
  await using database = await createTestDatabase();
  const scene = await sceneOn(database.url);
  // No file of the process may grow beyond this: what a full disk does to a write, without filling one.
  const baseUrl = await scene.start({ FILE_SIZE_KIB_MAX: '256' }).ready;
  const form = new FormData();
  form.set('projectId', scene.projectId);
  form.set('file', new Blob([Uint8Array.from(silentWav(60_000))]), 'large.wav');
  const response = await fetch(`${baseUrl}/api/v1/records/upload`, {
    method: 'POST',
    headers: scene.headers,
    body: form,
  });
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual({ error: { message: expect.any(String), code: 'SERVICE_UNAVAILABLE' } });
  expect(response.headers.get('x-request-id')).toBeTruthy();
  for (let call = 0; call < 5; call += 1) scene.sendNext(() => [baseUrl]);
  expect(await scene.expectNothingLost()).toBeGreaterThanOrEqual(scene.sent());
}, 150_000);
