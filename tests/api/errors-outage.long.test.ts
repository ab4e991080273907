import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { readyServer } from '../support/postmaster.ts';

const api = '/api/v1';
const quiet = createLogger('silent');

describe('a database that cannot be reached', () => {
  let database: TestDatabase;
  let proxy: Proxy;
  let t: TestApp;
  let owner: TestMember;

  beforeEach(async () => {
    database = await createTestDatabase();
    proxy = await startProxy(new URL(database.url));
    const url = new URL(database.url);
    url.host = `127.0.0.1:${proxy.port}`;
    t = await createTestApp({ runPipeline: false, env: { DATABASE_URL: url.href, LOG_LEVEL: 'silent' } });
    owner = await t.createOrg();
  });
  afterEach(async () => {
    await t.close();
    await proxy.close();
    await database.drop();
  });

  it('is 503 with Retry-After on both surfaces and unhealthy, and forgotten when it is back', async () => {
    proxy.cut();
    const urls = [`${api}/records`, '/api/trpc/orgs.get'];
    const startedAt = performance.now();
    const answers = await Promise.all(urls.map((url) => t.as(owner, { url })));
    // Postgres is not waited for without end, even where something takes its connections and drops them.
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    for (const answer of answers) {
      expect(answer).toMatchObject({
        status: 503,
        headers: { 'retry-after': '5', 'x-request-id': expect.any(String) },
      });
      expect(JSON.stringify(answer.body)).toContain('"SERVICE_UNAVAILABLE"');
    }
    const sick = await t.as(owner, { url: `${api}/health` });
    expect(sick).toMatchObject({ status: 503, body: { data: { status: 'degraded', checks: { database: 'down' } } } });

    proxy.restore();
    await expect.poll(async () => (await t.as(owner, { url: urls[0] ?? '' })).status, { timeout: 45_000 }).toBe(200);
    const well = await t.as(owner, { url: `${api}/health` });
    expect(well.body.data.checks.database).toBe('ok');
  });

  it('costs requests in flight at most a 503, and no connection of the pool', async () => {
    const rounds = { left: 5 };
    const statuses = new Map<number, number>();
    const clients = Array.from({ length: 8 }, async () => {
      while (rounds.left > 0) {
        const { status } = await t.as(owner, { url: `${api}/projects` });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        // A refusal takes no time, and the loop must not starve what it waits for.
        if (status !== 200) await sleep(20);
      }
    });
    for (; rounds.left > 0; rounds.left -= 1) {
      await sleep(60);
      proxy.cut();
      await sleep(30);
      proxy.restore();
    }
    await Promise.all(clients);
    expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    const after = await Promise.all(Array.from({ length: 20 }, () => t.as(owner, { url: `${api}/projects` })));
    expect(after.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  });
});

describe('a database that dies and comes back', () => {
  it('is used again without a restart of the service', async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'earshot-tests-restart-'));
    const server = await startEmbeddedPostgres({ dataDir, log: quiet });
    const t = await createTestApp({ runPipeline: false, env: { DATABASE_URL: server.url, LOG_LEVEL: 'silent' } });
    try {
      const owner = await t.createOrg();
      const killed = await readyServer(dataDir);
      process.kill(killed, 'SIGKILL');
      const during = await t.as(owner, { url: `${api}/projects` });
      expect([200, 503]).toContain(during.status);
      await readyServer(dataDir, { killed });
      await expect
        .poll(async () => (await t.as(owner, { url: `${api}/projects` })).status, { timeout: 45_000, interval: 100 })
        .toBe(200);
      const created = await t.as(owner, { method: 'POST', url: `${api}/projects`, payload: { name: 'After' } });
      expect(created.status).toBe(201);
    } finally {
      await t.close();
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});

type Proxy = { port: number; cut(): void; restore(): void; close(): Promise<void> };

/** A network between the service and Postgres that can fail. */
async function startProxy({ hostname, port }: URL): Promise<Proxy> {
  const sockets = new Set<net.Socket>();
  let isCut = false;
  const server = net.createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const upstream = net.connect(Number(port), hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(from);
          to.destroy();
        });
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cut() {
      isCut = true;
      drop();
    },
    restore() {
      isCut = false;
    },
    async close() {
      drop();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
