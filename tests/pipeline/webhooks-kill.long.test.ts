import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, type Connections } from '../../src/db/client.ts';
import { createDatabase, type Database } from '../../src/db/scope.ts';
import { emitEvents } from '../../src/domain/events/service.ts';
import { createOrg } from '../../src/domain/onboarding/service.ts';
import { insertWebhook } from '../../src/domain/webhooks/queries.ts';
import { newSecret } from '../../src/domain/webhooks/signature.ts';
import { newId } from '../../src/lib/ids.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { asAdmin, eventually, sleep } from './support/hosts.ts';
import { startService, type ServiceProcess } from './support/service-process.ts';
import { startReceiver, type Receiver } from './support/webhook-receiver.ts';

const killCount = Number(process.env['WEBHOOK_KILL_COUNT'] ?? 3);
const eventsPerKill = 10;
const endpointCount = 4;

let database: TestDatabase;
let connections: Connections;
let db: Database;
let receiver: Receiver;
let dataDir: string;
let org: { orgId: string; projectId: string };
let service: ServiceProcess | undefined;
const secrets = Array.from({ length: endpointCount }, newSecret);

beforeAll(async () => {
  database = await createTestDatabase();
  connections = connect({ url: database.url, poolSizeMax: 4 });
  db = createDatabase(connections);
  dataDir = await mkdtemp(path.join(tmpdir(), 'earshot-hooks-'));
  // Slow enough to be killed while it answers.
  receiver = await startReceiver((res) => void setTimeout(() => res.writeHead(204).end(), 15));
  org = await createOrg({ db, system: connections.system }, { name: 'Killed', owner: 'owner@example.com' });
  await db.withOrg(org.orgId, async (tx) => {
    for (const [n, secret] of secrets.entries()) {
      const [url, events] = [receiver.url(`/${n}`), ['record.deleted']];
      await insertWebhook(tx, {
        id: newId('webhook'),
        url,
        events,
        enabled: true,
        secrets: [{ secret, expiresAt: null }],
      });
    }
  });
});
afterAll(async () => {
  await service?.kill();
  await receiver.close();
  await connections.close();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

function start(): ServiceProcess {
  return startService({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    OUTBOUND_ALLOW: '127.0.0.1',
    DATABASE_POOL_SIZE: '6',
  });
}

async function emit(): Promise<void> {
  const data = { recordId: newId('record'), projectId: org.projectId, externalId: null };
  await db.withOrg(org.orgId, (tx) => emitEvents(tx, [{ type: 'record.deleted', data }]));
}

it(`every event reaches every endpoint under one id through ${killCount} kills`, async () => {
  service = start();
  await service.ready;
  for (let kills = 0; kills < killCount; kills += 1) {
    const before = receiver.received.length;
    for (let n = 0; n < eventsPerKill; n += 1) await emit();
    // Some of them are on their way.
    await eventually(() => receiver.received.length > before + 2 || undefined, 30_000);
    await sleep(Math.random() * 40);
    await service.kill();
    service = start();
    await service.ready;
  }
  await asAdmin(database.url, async (sql) => {
    await eventually(async () => {
      const left = await sql`select from webhook_deliveries where status <> 'succeeded' limit 1`;
      return left.length === 0 || undefined;
    });
    const events = await sql<{ id: string }[]>`select id from outbox where type = 'record.deleted' order by id`;
    expect(events).toHaveLength(killCount * eventsPerKill);
    for (const [n, secret] of secrets.entries()) {
      const requests = receiver.at(`/${n}`);
      const ids = new Set(requests.map(({ headers }) => headers['webhook-id']));
      expect([...ids].toSorted()).toEqual(events.map(({ id }) => id));
      for (const { body, headers } of requests) {
        expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'record.deleted' });
      }
    }
    const [{ n: sent = 0 } = {}] = await sql<
      { n: number }[]
    >`select sum(jsonb_array_length(attempts))::int as n from webhook_deliveries`;
    expect(sent).toBe(killCount * eventsPerKill * endpointCount);
  });
}, 300_000);
