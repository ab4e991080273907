import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { connect, type Connections } from '../../src/db/client.ts';
import { createDatabase, type Database } from '../../src/db/scope.ts';
import { emitEvents, type NewEvent } from '../../src/domain/events/service.ts';
import { derivedId } from '../../src/lib/ids.ts';
import { createPipelineClient } from '../../src/pipeline/client.ts';
import { deliverToServer, outboxLock } from '../../src/pipeline/delivery.ts';
import { Leader } from '../../src/pipeline/leader.ts';
import { OutboxDrainer, pruneOutbox } from '../../src/pipeline/outbox.ts';
import { readOutboxStatus } from '../../src/pipeline/outbox-status.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually, log } from './support/hosts.ts';

type SentEvent = { id: string; name: string; data: Record<string, unknown>; ts: number };

/** Speaks the event API of an Inngest server. */
class EventServer {
  readonly taken: SentEvent[] = [];
  refuse: (event: SentEvent) => boolean = () => false;
  #server: Server | undefined;
  #port = 0;

  async start(): Promise<void> {
    const server = createServer(async (req, res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk as Buffer);
      const events = JSON.parse(Buffer.concat(chunks).toString()) as SentEvent[];
      const isRefused = events.some((event) => this.refuse(event));
      res.writeHead(isRefused ? 400 : 200, { 'content-type': 'application/json' });
      if (isRefused) return void res.end(JSON.stringify({ error: 'invalid event', status: 400 }));
      this.taken.push(...events);
      res.end(JSON.stringify({ ids: events.map(({ id }) => id), status: 200 }));
    });
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    server?.closeAllConnections();
    if (server) await new Promise((resolve) => server.close(resolve));
  }
}

let database: TestDatabase;
let connections: Connections;
let db: Database;
let server: EventServer;
const drainers: OutboxDrainer[] = [];
const leaders: Leader[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  connections = connect({ url: database.url, poolSizeMax: 6 });
  db = createDatabase(connections);
  server = new EventServer();
  await server.start();
});

afterEach(async () => {
  for (const drainer of drainers.splice(0)) await drainer.stop();
  for (const leader of leaders.splice(0)) await leader.close();
  await server.stop();
  await connections.close();
  await database.drop();
});

async function startDrainer(): Promise<OutboxDrainer> {
  const config = loadConfig({ INNGEST_DEV: 'true', INNGEST_BASE_URL: server.url, PIPELINE_ENGINE: 'inngest' });
  const leader = new Leader(database.url, outboxLock);
  leaders.push(leader);
  const drainer = new OutboxDrainer({
    sql: connections.system,
    log,
    deliver: deliverToServer({ sql: connections.system, client: createPipelineClient({ config, log }), leader }),
    isEventFault: (error) => error instanceof Error && error.message.includes('400'),
  });
  drainers.push(drainer);
  await drainer.start();
  return drainer;
}

async function emit(from: number, to: number): Promise<void> {
  for (let n = from; n < to; n += 1) {
    await db.withOrg('org_a', (tx) =>
      emitEvents(tx, [{ type: 'object.delete.requested', data: { storageKey: `org_a/${n}` } }]),
    );
  }
}

const keys = (): unknown[] => server.taken.map(({ data }) => data['storageKey']);
const range = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, n) => `org_a/${from + n}`);

describe('events on their way to an Inngest server', () => {
  it('arrive at once, in order, with the organization and an id that makes a repeat harmless', async () => {
    await startDrainer();
    await emit(0, 5);
    await eventually(() => (server.taken.length === 5 ? true : undefined));
    expect(keys()).toEqual(range(0, 5));
    expect(server.taken[0]).toMatchObject({ name: 'earshot/object.delete.requested', data: { orgId: 'org_a' } });
    const ids = await connections.system`select id from outbox order by id`;
    expect(server.taken.map(({ id }) => id)).toEqual(ids.map((row) => row['id']));
    await eventually(async () => (await readOutboxStatus(connections.system)).waiting === 0 || undefined);
  });

  it('wait while the server is down, and go in order when it is back', async () => {
    const drainer = await startDrainer();
    await server.stop();
    await emit(0, 3);
    await eventually(async () => (await drainer.check().catch(() => 'down')) === 'down' || undefined);
    expect((await readOutboxStatus(connections.system)).waiting).toBe(3);
    await emit(3, 6);
    await server.start();
    const waking = setInterval(() => drainer.wake(), 200);
    await eventually(() => (server.taken.length === 6 ? true : undefined));
    clearInterval(waking);
    expect(keys()).toEqual(range(0, 6));
    await drainer.check();
  });

  it('let one that the server refuses step aside', async () => {
    server.refuse = ({ data }) => data['storageKey'] === 'org_a/2';
    await emit(0, 6);
    const drainer = await startDrainer();
    drainer.wake();
    await eventually(() => (server.taken.length === 5 ? true : undefined));
    expect(keys()).toEqual(range(0, 6).filter((key) => key !== 'org_a/2'));
    await eventually(async () => (await readOutboxStatus(connections.system)).waiting === 1 || undefined);
  });

  it('are sent by one instance at a time', async () => {
    const [first, second] = [await startDrainer(), await startDrainer()];
    await emit(0, 40);
    first.wake();
    second.wake();
    await eventually(async () => (await readOutboxStatus(connections.system)).waiting === 0 || undefined, 5000);
    expect(new Set(keys()).size).toBe(40);
    expect(keys()).toEqual(range(0, 40));
  });
});

describe('what an engine is told', () => {
  const place = { recordId: 'rec_1', analysisId: 'ana_1', projectId: 'prj_1' };
  const scores = { qualityScore: 10, judgedShare: 1, needsReviewCount: 0, complianceStatus: 'failed' } as const;
  const at = new Date().toISOString();
  const alert = (actions: ('webhook' | 'email')[]): NewEvent => ({
    type: 'alert.triggered',
    data: {
      ...place,
      ...scores,
      actions,
      alertId: 'alr_1',
      name: 'Low score of Dana',
      severity: 'warning',
      condition: { field: 'qualityScore', operator: 'lt', value: 60 },
      value: 10,
      cause: 'analysis',
      agentName: 'Dana',
      triggeredAt: at,
    },
  });
  const budget = { orgId: 'org_a', period: '2026-01', threshold: 80, budgetLimit: 10, totalCost: 8 } as const;

  it('is of events that trigger a function, and ids alone', async () => {
    const facts = { recordId: 'rec_1', projectId: 'prj_1', externalId: 'x', createdAt: at };
    const completed = { ...facts, ...scores, analysisId: 'ana_1', duration: 60, agentName: 'Dana', completedAt: at };
    await db.withOrg('org_a', (tx) =>
      emitEvents(tx, [
        { type: 'record.created', data: { ...facts, status: 'pending' } },
        { type: 'analysis.completed', data: { ...place, ...scores, version: 1 } },
        { type: 'record.completed', data: { ...completed, status: 'completed' } },
        alert(['webhook']),
        alert(['webhook', 'email']),
        { type: 'budget.threshold_reached', data: { ...budget, budgetUsedPercent: 80 } },
        { type: 'object.delete.requested', data: { storageKey: 'org_a/1' } },
      ]),
    );
    await startDrainer();
    await eventually(async () => (await readOutboxStatus(connections.system)).waiting === 0 || undefined);
    const told = server.taken.map(({ id, name, data }) => ({
      name,
      data: { ...data, orderId: data['orderId'] === id },
    }));
    const order = { orgId: 'org_a', orderId: true };
    expect(told).toEqual([
      { name: 'earshot/alert.triggered', data: { ...place, ...order, alertId: 'alr_1' } },
      { name: 'earshot/budget.threshold_reached', data: order },
      { name: 'earshot/object.delete.requested', data: { ...order, storageKey: 'org_a/1' } },
    ]);
    const left = await connections.system`select from outbox where done_at is null and due_at is null`;
    expect(left).toHaveLength(0);
  });

  it('is never dated in the future, which a server would wait for', async () => {
    await emit(0, 1);
    await connections.system`update outbox set created_at = now() + interval '5 minutes'`;
    await startDrainer();
    const sent = await eventually(() => server.taken[0]);
    expect(sent.ts).toBeLessThanOrEqual(Date.now());
  });
});

describe('events that were handed on', () => {
  const now = new Date();
  const daysAgo = (days: number): Date => new Date(now.getTime() - days * 86_400_000);

  async function keep(seed: string, { days, type, isHandedOn }: { days: number; type: string; isHandedOn: boolean }) {
    const id = derivedId('event', { at: daysAgo(days), seed });
    await connections.system`
      insert into outbox (id, org_id, type, data, dispatched_at)
      values (${id}, 'org_a', ${type}, ${JSON.stringify({ seed })}::text::jsonb, ${isHandedOn ? daysAgo(days).toISOString() : null})`;
  }

  it('are removed after a week, thresholds of budgets after two months, and what waits never', async () => {
    const type = 'record.completed';
    await keep('old', { days: 8, type, isHandedOn: true });
    await keep('new', { days: 6, type, isHandedOn: true });
    await keep('waiting', { days: 90, type, isHandedOn: false });
    await keep('threshold', { days: 8, type: 'budget.threshold_reached', isHandedOn: true });
    await keep('old threshold', { days: 70, type: 'budget.threshold_reached', isHandedOn: true });
    expect(await pruneOutbox(connections.system, now)).toBe(2);
    const left = await connections.system<{ seed: string }[]>`select data->>'seed' as seed from outbox`;
    expect(left.map(({ seed }) => seed).toSorted()).toEqual(['new', 'threshold', 'waiting']);
    expect(await pruneOutbox(connections.system, now)).toBe(0);
  });
});
