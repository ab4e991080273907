import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it } from 'vitest';
import { insertWebhook } from '../../src/domain/webhooks/queries.ts';
import { newSecret } from '../../src/domain/webhooks/signature.ts';
import { newId } from '../../src/lib/ids.ts';
import { createTestDatabase } from '../support/database.ts';
import { createFaultScene, type FaultScene } from './support/fault-scene.ts';
import { asAdmin, eventually, sleep } from './support/hosts.ts';
import { findPort, inngestProgram, startInngest } from './support/inngest-process.ts';
import { startReceiver } from './support/webhook-receiver.ts';

const killCount = Number(process.env['INNGEST_KILL_COUNT'] ?? 6);
const callsPerKill = 12;
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

describe.runIf(inngestProgram !== undefined)('an Inngest server that forgets everything', () => {
  it(`keeps no call, no event and no delivery from its end through ${killCount} kills under load`, async () => {
    await using database = await createTestDatabase();
    const port = await findPort();
    const scene = await createFaultScene(database.url, { inngestUrl: `http://127.0.0.1:${port}` });
    cleanups.push(scene.close);
    const receiver = await startReceiver();
    cleanups.push(receiver.close);
    const secret = await addEndpoint(scene, receiver.url('/hook'));
    const baseUrl = await scene.start().ready;
    const start = () => startInngest(inngestProgram ?? '', { port, appUrl: baseUrl, cwd: scene.dataDir });

    let server = await start();
    cleanups.push(() => server.kill());
    for (let kill = 0; kill < killCount; kill += 1) {
      for (let call = 0; call < callsPerKill; call += 1) {
        scene.sendNext(() => [baseUrl]);
        await sleep(60);
      }
      await sleep(kill * 150);
      await server.kill();
      // Some come while there is no server, some while it does not know its functions yet.
      for (let call = 0; call < callsPerKill / 2; call += 1) scene.sendNext(() => [baseUrl]);
      server = await start();
    }
    await scene.allTaken();
    await eventually(async () => {
      await letAnHourPass(database.url);
      await scene.runSweep();
      await sleep(2_000);
      return (await countOpen(database.url)) === 0 || undefined;
    }, 180_000);
    expect(await scene.expectNothingLost()).toBeGreaterThanOrEqual(scene.sent());
    await expectDelivered(database.url, { secret, received: receiver.received });
  }, 400_000);
});

async function addEndpoint({ db, orgId }: FaultScene, url: string): Promise<string> {
  const secret = newSecret();
  await db.withOrg(orgId, (tx) =>
    insertWebhook(tx, {
      id: newId('webhook'),
      url,
      events: ['record.completed'],
      enabled: true,
      secrets: [{ secret, expiresAt: null }],
    }),
  );
  return secret;
}

/** What nothing has been heard of is announced again by the sweep after an hour. What went out just now may be under way. */
async function letAnHourPass(databaseUrl: string): Promise<void> {
  await asAdmin(databaseUrl, async (sql) => {
    const isLost = sql`due_at is not null and dispatched_at < now() - interval '20 seconds'`;
    await sql`
      update records set updated_at = now() - interval '2 hours'
       where status in ('pending', 'processing') and updated_at < now() - interval '20 seconds'`;
    await sql`
      update webhook_deliveries d set next_attempt_at = now() - interval '2 hours'
       where status = 'pending' and exists (select from outbox where id = d.request_id and ${isLost})`;
    await sql`update outbox set due_at = now() - interval '1 second' where ${isLost}`;
  });
}

async function countOpen(databaseUrl: string): Promise<number> {
  const [row] = await asAdmin(
    databaseUrl,
    (sql) => sql<{ open: number }[]>`
      select (select count(*) from records where status in ('pending', 'processing'))::int
           + (select count(*) from webhook_deliveries where status = 'pending')::int
           + (select count(*) from outbox where dispatched_at is null or due_at is not null)::int as open`,
  );
  return row?.open ?? 0;
}

type Deliveries = { secret: string; received: Awaited<ReturnType<typeof startReceiver>>['received'] };

/** Each completed call under one id, which its outbox row has; what was sent twice says the same. */
async function expectDelivered(databaseUrl: string, { secret, received }: Deliveries): Promise<void> {
  const events = await asAdmin(
    databaseUrl,
    (sql) => sql<{ id: string }[]>`select id from outbox where type = 'record.completed' order by id`,
  );
  const bodies = new Map<string, Set<string>>();
  for (const { headers, body } of received) {
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'record.completed' });
    const id = headers['webhook-id'] ?? '';
    bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
  }
  expect([...bodies.keys()].toSorted()).toEqual(events.map(({ id }) => id));
  expect([...bodies.values()].filter(({ size }) => size > 1)).toEqual([]);
}
