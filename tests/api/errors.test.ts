import net from 'node:net';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, InjectOptions } from 'fastify';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/scope.ts';
import { buildApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import type { Services } from '../../src/deps.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { sendRaw } from './conventions-socket.ts';

const api = '/api/v1';
const phone = '+447700900123';

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
    findInOrg: reject,
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
          message: 'Something went wrong on our side. Quote the request id when you report it.',
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
