import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, InjectOptions } from 'fastify';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/scope.ts';
import { buildApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts';
import type { Services } from '../../src/deps.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { readyServer } from '../support/postmaster.ts';
import { sendRaw } from './conventions-socket.ts';

const api = '/api/v1';
const phone = '+447700900123';
const quiet = createLogger('silent');

type LoggedApp = { app: FastifyInstance; lines(): Record<string, unknown>[]; text(): string };

/** The service with a log that can be read, and with parts of it replaced. */
async function createLoggedApp(services: Services, replaced: Partial<Services> = {}): Promise<LoggedApp> {
  let text = '';
  const destination = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  const app = await buildApp({
    config: loadConfig({ RATE_LIMIT_PER_MINUTE: '0' }),
    log: createLogger('trace', destination),
    services: { ...services, ...replaced },
  });
  const lines = (): Record<string, unknown>[] =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  return { app, lines, text: () => text };
}

function ingest(member: TestMember, extra: object = {}): InjectOptions {
  return {
    method: 'POST',
    url: `${api}/records/ingest`,
    headers: member.headers,
    payload: {
      externalId: 'call-1',
      projectId: member.projectId,
      recordingUrl: 'https://recordings.example.com/1.wav',
      customerPhone: phone,
      agentName: 'Agent Canary',
      ...extra,
    },
  };
}

function brokenBy(error: Error): Database {
  const reject = async (): Promise<never> => {
    throw error;
  };
  const db: Database = {
    withOrg: reject,
    readOrg: reject,
    searchOrg: reject,
    together: reject,
    afterCommit: reject,
    asOf: () => db,
  };
  return db;
}

describe('an error of the database that passes', () => {
  let t: TestApp;
  let owner: TestMember;

  beforeAll(async () => {
    t = await createTestApp({ runPipeline: false });
    owner = await t.createOrg();
  });
  afterAll(() => t.close());

  it.each([
    ['53100', 'disk_full'],
    ['53200', 'out_of_memory'],
    ['53300', 'too_many_connections'],
    ['53400', 'configuration_limit_exceeded'],
    ['58030', 'io_error'],
    ['25006', 'read_only_sql_transaction'],
    ['25P03', 'idle_in_transaction_session_timeout'],
    ['57000', 'operator_intervention'],
    ['57014', 'query_canceled'],
    ['57P01', 'admin_shutdown'],
    ['57P02', 'crash_shutdown'],
    ['57P03', 'cannot_connect_now'],
    ['57P05', 'idle_session_timeout'],
  ])('is 503 with Retry-After, and says nothing of where: %s %s', async (code, name) => {
    const refused = Object.assign(new Error(`${name} at /var/lib/secret`), { name: 'PostgresError', code });
    const error = new Error('Failed query', { cause: refused });
    const { app } = await createLoggedApp(t.deps.services, { db: brokenBy(error) });
    for (const url of [`${api}/records`, '/api/trpc/orgs.get']) {
      const answer = await app.inject({ url, headers: owner.headers });
      expect([url, answer.statusCode, answer.headers['retry-after']]).toEqual([
        url,
        503,
        expect.stringMatching(/^\d+$/),
      ]);
      expect(answer.body).toContain('SERVICE_UNAVAILABLE');
      expect(answer.body).not.toContain('secret');
    }
    await app.close();
  });
});

describe('an error of our own', () => {
  let t: TestApp;
  let owner: TestMember;
  let logged: LoggedApp;
  const broken = new Error(`secret detail about ${phone}`);

  beforeAll(async () => {
    t = await createTestApp({ runPipeline: false });
    owner = await t.createOrg();
    logged = await createLoggedApp(t.deps.services, {
      db: brokenBy(broken),
    });
  });
  afterAll(async () => {
    await logged.app.close();
    await t.close();
  });

  it.each([`${api}/records`, `${api}/projects/prj_1`, `${api}/records/rec_1/transcript`])(
    'is a generic 500 over REST, and is found in the log by its request id: %s',
    async (url) => {
      const answer = await logged.app.inject({ url, headers: owner.headers });
      expect(answer.statusCode).toBe(500);
      expect(answer.json()).toEqual({
        error: {
          message: 'Something went wrong on our side. The request id helps us to find out what.',
          code: 'INTERNAL_ERROR',
        },
      });
      const lines = logged.lines().filter((line) => line.requestId === answer.headers['x-request-id']);
      expect(lines).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            level: 50,
            err: expect.objectContaining({ stack: expect.stringContaining(' at ') }),
          }),
          expect.objectContaining({ level: 30, msg: 'request', status: 500, method: 'GET' }),
        ]),
      );
    },
  );

  it('is a generic 500 over RPC, and is found in the log by its request id', async () => {
    const answer = await logged.app.inject({ url: '/api/trpc/orgs.get', headers: owner.headers });
    expect(answer.statusCode).toBe(500);
    expect(answer.json().error.json.data).toMatchObject({ code: 'INTERNAL_ERROR', httpStatus: 500 });
    expect(answer.body).not.toMatch(/secret|stack|TypeError/);
    const lines = logged.lines().filter((line) => line.requestId === answer.headers['x-request-id']);
    expect(lines.some(({ level }) => level === 50)).toBe(true);
  });

  it('is a generic 500 as well when an answer is not what was declared', async () => {
    const withOrg = async () => ({ name: 'no id' });
    const wrong = await createLoggedApp(t.deps.services, { db: { withOrg } as unknown as Services['db'] });
    const answer = await wrong.app.inject({ url: '/api/trpc/orgs.get', headers: owner.headers });
    expect(answer.json().error.json.data).toMatchObject({ code: 'INTERNAL_ERROR', details: null });
    await wrong.app.close();
  });
});

describe('the log', () => {
  let t: TestApp;
  let owner: TestMember;

  beforeAll(async () => {
    t = await createTestApp({ runPipeline: false });
    owner = await t.createOrg();
  });
  afterAll(() => t.close());

  it('holds one line for each request, with its id, route, status and duration, and no query', async () => {
    const logged = await createLoggedApp(t.deps.services);
    const url = `${api}/records?projectId=${owner.projectId}&agentName=canary`;
    const answer = await logged.app.inject({ url, headers: owner.headers });
    await logged.app.close();
    expect(logged.lines().filter(({ msg }) => msg === 'request')).toEqual([
      expect.objectContaining({
        requestId: answer.headers['x-request-id'],
        method: 'GET',
        route: `${api}/records`,
        status: 200,
        durationMs: expect.any(Number),
      }),
    ]);
    expect(logged.text()).not.toContain('canary');
  });

  it('holds no token, phone number, name or transcript, whatever goes right or wrong', async () => {
    const logged = await createLoggedApp(t.deps.services);
    const address = await logged.app.listen({ port: 0, host: '127.0.0.1' });
    const transcript = 'WEBVTT\n\n00:00.000 --> 00:02.000\n<v Agent>My canary words.\n';
    const requests: InjectOptions[] = [
      ingest(owner, { transcript }),
      ingest(owner, { transcript }),
      ingest(owner, { externalId: 'call-2', startedAt: 'Canary' }),
      ingest(owner, { externalId: 'call-3', metadata: { canary: 'Canary\0' } }),
      { ...ingest(owner), payload: `{"customerPhone":"${phone}"` },
      { ...ingest(owner), url: `/api/trpc/records.ingest` },
      { ...ingest(owner), url: `/nowhere/${phone}` },
      { url: `${api}/records/${owner.token}`, headers: owner.headers },
      { url: `${api}/records?status=${phone}`, headers: owner.headers },
      { url: `${api}/records?token=${owner.token}`, headers: { authorization: `Bearer ${owner.token}x` } },
      { url: `${api}/records`, headers: { authorization: owner.token, cookie: `session=${owner.token}` } },
      { url: `${api}/records/%${phone}`, headers: owner.headers },
    ];
    for (const request of requests) await logged.app.inject(request);
    await sendRaw(address, `GET /${phone} HTTP/9\r\nAuthorization: Bearer ${owner.token}\r\n\r\n`);
    await logged.app.close();
    expect(logged.lines().length).toBeGreaterThan(requests.length);
    expect(canariesIn(logged.text(), owner)).toEqual([]);
  });

  it('holds no value of a statement that Postgres refused', async () => {
    const logged = await createLoggedApp(t.deps.services);
    const superuser = postgres(t.deps.config.DATABASE_URL ?? '', { max: 1 });
    await superuser`alter table records add constraint no_canary check (agent_name is distinct from 'Agent Canary') not valid`;
    const answer = await logged.app.inject(ingest(owner, { externalId: 'call-4' }));
    await superuser`alter table records drop constraint no_canary`;
    await superuser.end();
    await logged.app.close();
    expect(answer.statusCode).toBe(500);
    expect(canariesIn(logged.text(), owner)).toEqual([]);
    const failure = logged.lines().find(({ level }) => level === 50);
    expect(JSON.stringify(failure)).toContain('no_canary');
    expect(JSON.stringify(failure)).toContain('insert into');
  });
});

function canariesIn(text: string, { token }: TestMember): string[] {
  const canaries = [token, token.slice(4), phone, phone.slice(1), '7700900123', 'Agent Canary', 'canary words'];
  return canaries.filter((canary) => text.includes(canary));
}

describe('a body that the client abandons', () => {
  it('is nobody else’s fault: nothing is logged as an error', async () => {
    const t = await createTestApp({ runPipeline: false });
    const owner = await t.createOrg();
    const logged = await createLoggedApp(t.deps.services);
    const { port } = new URL(await logged.app.listen({ port: 0, host: '127.0.0.1' }));
    const socket = net.connect(Number(port), '127.0.0.1');
    socket.write(
      `POST ${api}/projects HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${owner.token}\r\nX-Selected-Org-ID: ${owner.orgId}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name":',
    );
    await sleep(100);
    socket.destroy();
    await expect.poll(() => logged.lines().length).toBeGreaterThan(0);
    await logged.app.close();
    expect(logged.lines().filter(({ level }) => Number(level) >= 40)).toEqual([]);
    await t.close();
  });
});

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
    await expect.poll(async () => (await t.as(owner, { url: urls[0] ?? '' })).status, { timeout: 10_000 }).toBe(200);
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
        .poll(async () => (await t.as(owner, { url: `${api}/projects` })).status, { timeout: 40_000, interval: 100 })
        .toBe(200);
      const created = await t.as(owner, { method: 'POST', url: `${api}/projects`, payload: { name: 'After' } });
      expect(created.status).toBe(201);
    } finally {
      await t.close();
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  }, 60_000);
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
