import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { callVtt } from './support/calls.ts';
import { createFaultScene, type FaultScene } from './support/fault-scene.ts';
import { openGate, type Gate } from './support/gate.ts';
import { sleep } from './support/hosts.ts';
import { startOutside, ticket, type Uses } from './support/outside.ts';
import { silentWav } from './support/recording-server.ts';
import { subscribe } from './support/subscribe.ts';

/** Longer than a process may be missed before its work is taken over, and than a restart of a database takes. */
const awayMs = 9_000;

type Outside = Awaited<ReturnType<typeof startOutside>>;

let database: TestDatabase;
let gate: Gate;
let scene: FaultScene;
let outside: Outside;
const cut = new Set<keyof Uses>();
let opening: Promise<void> | undefined;

/** Whoever is asked or told for the first time answers a service that has just lost its database. */
async function hold(kind: keyof Uses): Promise<void> {
  if (cut.has(kind)) return;
  cut.add(kind);
  await opening;
  await gate.shut();
  opening = sleep(awayMs).then(() => gate.open());
}

beforeAll(async () => {
  database = await createTestDatabase();
  const { hostname, port } = new URL(database.url);
  gate = await openGate({ host: hostname, port: Number(port) });
  scene = await createFaultScene(database.url);
  outside = await startOutside({ hold });
});
afterAll(async () => {
  await scene.close();
  await outside.close();
  await opening;
  await gate.shut();
  await database.drop();
});

it('asks, mails and tells once, though the database is away when the answers come', async () => {
  const url = new URL(database.url);
  url.port = String(gate.port);
  const service = scene.start({ ...outside.envOf('one'), DATABASE_URL: url.href });
  const baseUrl = await service.ready;
  await subscribe(scene, { baseUrl, url: outside.receiver.url('/events') });
  const form = new FormData();
  form.set('projectId', scene.projectId);
  form.set('metadata', JSON.stringify({ externalId: 'x-0' }));
  form.set('transcript', `${callVtt}\n00:59.000 --> 00:59.900\n<v Agent>${ticket} 0.\n`);
  form.set('file', new Blob([Uint8Array.from(silentWav(800))]), '0.wav');
  const taken = await fetch(`${baseUrl}/api/v1/records/upload`, { method: 'POST', headers: scene.headers, body: form });
  expect(taken.status).toBe(201);
  await scene.expectNothingLost({ callCount: 1, completedMin: 1 });
  const { provider, mails, webhooks } = outside.uses();
  expect([...cut].toSorted()).toEqual(['mails', 'provider', 'webhooks']);
  expect({ asked: provider.length, mails: mails.length, told: webhooks.length }).toEqual({
    asked: 1,
    mails: 1,
    told: 1,
  });
}, 180_000);
