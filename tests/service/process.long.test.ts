import { readFile, rm } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import postgres from 'postgres';
import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { connect } from '../../src/db/client.ts';
import { layoutOf } from '../../src/db/embedded-cluster.ts';
import { findPostmaster } from '../../src/db/embedded-postmaster.ts';
import { createDatabase } from '../../src/db/scope.ts';
import { createOrg } from '../../src/domain/onboarding/service.ts';
import { issueToken } from '../../src/domain/tokens/service.ts';
import { createTestDatabase } from '../support/database.ts';
import { slownessOfPrograms } from '../support/slowness.ts';
import { newDataDir, startService, type RunningProcess } from './support.ts';

const patienceMs = 90_000;
const running = new Set<RunningProcess>();
const folders = new Set<string>();

function start(env: Record<string, string>): RunningProcess {
  const service = startService(env);
  running.add(service);
  return service;
}

async function dataDir(): Promise<string> {
  const folder = await newDataDir();
  folders.add(folder);
  return folder;
}

async function postmasterOf(folder: string): Promise<unknown> {
  return findPostmaster(layoutOf(folder).cluster);
}

afterEach(async () => {
  for (const service of running) {
    if (service.child.exitCode === null && service.child.signalCode === null) await service.stop('SIGTERM');
  }
  running.clear();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
  folders.clear();
});

describe('the service', () => {
  it(
    'is healthy soon after its first start with an empty folder, and sooner after the next',
    { timeout: patienceMs },
    async () => {
      // The limits are those of a machine that has nothing else to do, and of its processor.
      const busyness = Math.max(1, (loadavg()[0] ?? 0) / availableParallelism()) * (await slownessOfPrograms());
      const [firstMsMax, warmMsMax] = [6_000 * busyness, 3_000 * busyness];
      const best = { firstMs: Infinity, warmMs: Infinity };
      for (let attempt = 0; attempt < 3 && (best.firstMs > firstMsMax || best.warmMs > warmMsMax); attempt += 1) {
        const folder = await dataDir();
        const first = start({ DATA_DIR: folder });
        best.firstMs = Math.min(best.firstMs, (await first.healthy()).tookMs);
        expect(await first.stop()).toMatchObject({ code: 0 });
        const second = start({ DATA_DIR: folder });
        best.warmMs = Math.min(best.warmMs, (await second.healthy()).tookMs);
        expect(await second.stop()).toMatchObject({ code: 0 });
      }
      expect(best.firstMs).toBeLessThan(firstMsMax);
      expect(best.warmMs).toBeLessThan(warmMsMax);
    },
  );

  it(
    'takes its database with it when it stops, and finds its data when it starts again',
    { timeout: patienceMs },
    async () => {
      const folder = await dataDir();
      const first = start({ DATA_DIR: folder });
      await first.healthy();
      expect(await postmasterOf(folder)).toBeDefined();
      const stopped = await first.stop('SIGINT');
      expect(stopped).toMatchObject({ code: 0, signal: null });
      expect(stopped.tookMs).toBeLessThan(10_000);
      expect(await postmasterOf(folder)).toBeUndefined();
      // The way for the first owner, and nothing else.
      expect(first.stderr()).toMatch(
        /^\s+Create the first account within an hour:\s+http:\S+\/account\/links\/\S+\s+$/,
      );
      expect(first.lines().filter(({ level }) => level >= 40)).toEqual([]);
    },
  );

  it('is not hurried into leaving its database behind by a second signal', { timeout: patienceMs }, async () => {
    const folder = await dataDir();
    const service = start({ DATA_DIR: folder });
    await service.healthy();
    service.child.kill('SIGINT');
    service.child.kill('SIGTERM');
    expect(await service.stop('SIGINT')).toMatchObject({ code: 0, signal: null });
    expect(await postmasterOf(folder)).toBeUndefined();
    expect(service.lines().filter(({ msg }) => msg === 'stopping')).toHaveLength(1);
  });

  it('stops as well when it is told to while it starts', { timeout: patienceMs }, async () => {
    const folder = await dataDir();
    const service = start({ DATA_DIR: folder });
    await expect.poll(() => postmasterOf(folder), { timeout: 45_000 }).toBeDefined();
    const stopped = await service.stop('SIGTERM');
    expect(stopped).toMatchObject({ code: 0, signal: null });
    expect(await postmasterOf(folder)).toBeUndefined();
  });

  it(
    'whose port is taken while it starts says so, ends and takes its database with it',
    { timeout: patienceMs },
    async () => {
      const blocker = net.createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => blocker.once('listening', resolve));
      const address = blocker.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      await new Promise((resolve) => blocker.close(resolve));
      const folder = await dataDir();
      const service = start({ DATA_DIR: folder, PORT: String(port) });
      await expect.poll(() => postmasterOf(folder), { timeout: 45_000 }).toBeDefined();
      const taker = net.createServer().listen(port, '127.0.0.1');
      await new Promise((resolve) => taker.once('listening', resolve));
      expect(await service.exit()).toMatchObject({ code: 1 });
      expect(service.stderr()).toMatch(/^Port \d+ of 127\.0\.0\.1 is in use: .+\n$/);
      expect(await postmasterOf(folder)).toBeUndefined();
      await new Promise((resolve) => taker.close(resolve));
    },
  );

  it('names every mistake of its configuration at once, repeats no value and starts nothing', async () => {
    const folder = await dataDir();
    const service = start({
      DATA_DIR: folder,
      PORT: '70000',
      LOG_LEVEL: 'loud',
      PUBLIC_URL: 'ftp://secret-canary',
      DATABASE_URL: 'mysql://user:secret-canary@host/db',
      SPEECH_ENGINE: 'deepgram',
      PIPELINE_ENGINE: 'inngest',
      INNGEST_DEV: 'perhaps',
    });
    expect(await service.exit()).toMatchObject({ code: 1 });
    const named = service.stderr().match(/^ {2}[A-Z_]+/gm) ?? [];
    expect(named.map((name) => name.trim()).toSorted()).toEqual([
      'DATABASE_URL',
      'DEEPGRAM_API_KEY',
      'INNGEST_DEV',
      'INNGEST_EVENT_KEY',
      'INNGEST_SIGNING_KEY',
      'LOG_LEVEL',
      'PORT',
      'PUBLIC_URL',
    ]);
    expect(service.stderr()).not.toContain('secret-canary');
    expect(await postmasterOf(folder)).toBeUndefined();
  });
});

describe('a service that stops', () => {
  type Client = { url: string; headers: Record<string, string> };

  async function serviceWithClient(url: string): Promise<{ service: RunningProcess; client: Client }> {
    const service = start({ DATA_DIR: await dataDir(), DATABASE_URL: url, LOG_LEVEL: 'info' });
    const { baseUrl } = await service.healthy();
    const connections = connect({ url, poolSizeMax: 2 });
    const db = createDatabase(connections);
    const { orgId, userId } = await createOrg(
      { db, system: connections.system },
      { name: 'Org', owner: 'a@example.com' },
    );
    const { token } = await db.withOrg(orgId, (tx) => issueToken(tx, userId, { name: 'test', expiresAt: null }));
    await connections.close();
    const headers = { authorization: `Bearer ${token}`, 'x-selected-org-id': orgId };
    return { service, client: { url: `${baseUrl}/api/v1/projects`, headers } };
  }

  type Answer = { status: number | undefined; connection: string | undefined };

  function get({ url, headers }: Client, agent: http.Agent): Promise<Answer> {
    return new Promise((resolve, reject) => {
      http
        .get(url, { headers, agent }, (res) => {
          res.resume().on('end', () => resolve({ status: res.statusCode, connection: res.headers.connection }));
        })
        .on('error', reject);
    });
  }

  /** Until a statement waits for a lock. Asked outside of the transaction that holds it, which would see the same for ever. */
  async function waiting(observer: postgres.Sql): Promise<void> {
    const statements = () => observer`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await statements()).length, { timeout: 45_000 }).toBeGreaterThan(0);
  }

  it(
    'answers what it has begun, closes idle connections and is gone within ten seconds',
    { timeout: patienceMs },
    async () => {
      await using database = await createTestDatabase();
      const { service, client } = await serviceWithClient(database.url);
      const agent = new http.Agent({ keepAlive: true });
      const idle = await Promise.all(Array.from({ length: 10 }, () => get(client, agent)));
      expect(idle.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));

      const blocker = postgres(database.url, { max: 1 });
      const observer = postgres(database.url, { max: 1 });
      let begun: Promise<Answer> | undefined;
      let stopping: ReturnType<RunningProcess['stop']> | undefined;
      await blocker.begin(async (sql) => {
        await sql`lock table projects in access exclusive mode`;
        begun = get(client, agent);
        await waiting(observer);
        stopping = service.stop('SIGTERM');
        await service.logged('stopping');
        await sleep(500);
      });
      await observer.end();
      expect(await begun).toEqual({ status: 200, connection: 'close' });
      const stopped = await stopping;
      expect(stopped).toMatchObject({ code: 0, signal: null });
      expect(stopped?.tookMs).toBeLessThan(10_000);
      await blocker.end();
      agent.destroy();
    },
  );

  it('is gone within ten seconds as well when something never ends', { timeout: patienceMs }, async () => {
    await using database = await createTestDatabase();
    const { service, client } = await serviceWithClient(database.url);
    const blocker = postgres(database.url, { max: 1 });
    await blocker.begin(async (sql) => {
      await sql`lock table projects in access exclusive mode`;
      const agent = new http.Agent({ keepAlive: true });
      const begun = get(client, agent).then(
        () => 'answered',
        () => 'cut off',
      );
      const { port } = new URL(client.url);
      const slow = net.connect(Number(port), '127.0.0.1').on('error', () => {});
      slow.write('POST /api/v1/projects HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{');
      const observer = postgres(database.url, { max: 1 });
      await waiting(observer);
      await observer.end();
      const stopped = await service.stop('SIGTERM');
      expect(stopped.tookMs).toBeLessThan(10_000);
      expect(await begun).toBe('cut off');
      slow.destroy();
      agent.destroy();
    });
    await blocker.end();
  });
});

describe('loadConfig', () => {
  it('takes an empty environment, and an empty variable as unset', () => {
    expect(loadConfig({})).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      DATA_DIR: './data',
      PIPELINE_ENGINE: 'embedded',
    });
    expect(loadConfig({ PORT: '', DATABASE_URL: '  ' })).toMatchObject({ PORT: 3000 });
  });

  it('knows every variable that .env.example documents, and no other', async () => {
    const example = await readFile('.env.example', 'utf8');
    const documented = [...example.matchAll(/^#?\s*([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name);
    // With all that it proposes, and anything where it proposes nothing.
    const anything = `$1${'x'.repeat(32)}`;
    const everything = example.replace(/^# ([A-Z][A-Z0-9_]+=)$/gm, anything).replace(/^# ([A-Z][A-Z0-9_]+=)/gm, '$1');
    expect([...new Set(documented)].toSorted()).toEqual(Object.keys(loadConfig(parseEnv(everything))).toSorted());
  });
});
