import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Counts } from '../../src/http/rate-limit/counts.ts';
import { createMemoryCounts } from '../../src/http/rate-limit/memory-counts.ts';
import { createRedisCounts } from '../../src/http/rate-limit/redis-counts.ts';
import { buildApp } from '../../src/app.ts';
import { createTestApp } from '../support/app.ts';
import { startRedis, type RedisProcess } from '../support/redis.ts';

let redis: RedisProcess;
const opened: Counts[] = [];
const said: string[] = [];
let clients = 0;

beforeAll(async () => {
  redis = await startRedis();
}, 300_000);
afterEach(async () => {
  for (const counts of opened.splice(0)) await counts.close();
  said.length = 0;
});
afterAll(() => redis.remove());

const log = {
  warn: (...parts: unknown[]) => void said.push(String(parts.at(-1))),
  info: (...parts: unknown[]) => void said.push(String(parts.at(-1))),
};

/** One instance's view of the counts, connected. */
async function connect({ limit = 200, windowMs = 60_000, answerTimeoutMs = 10_000 } = {}): Promise<Counts> {
  const fallback = createMemoryCounts({ limit, windowMs, clientsMax: 100 });
  const counts = createRedisCounts({ url: redis.url, limit, windowMs, answerTimeoutMs, fallback, log });
  opened.push(counts);
  await until(async () => typeof (await counts.take('warm-up')).ticket === 'string');
  return counts;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries += 1) {
    if (tries > 400) throw new Error('It did not come about.');
    await sleep(20);
  }
}

async function admitted(counts: Counts, { client, requests }: { client: string; requests: number }): Promise<number> {
  const taken = await Promise.all(Array.from({ length: requests }, () => counts.take(client)));
  return taken.filter(({ isAllowed }) => isAllowed).length;
}

const newClient = () => `client-${++clients}`;

describe('two instances with one Redis', () => {
  it('let 200 requests through together, also when they come at once', async () => {
    const [one, two] = [await connect(), await connect()];
    const client = newClient();
    const counts = await Promise.all([
      admitted(one, { client, requests: 150 }),
      admitted(two, { client, requests: 150 }),
    ]);
    expect(counts[0] + counts[1]).toBe(200);
    expect(await one.take(client)).toMatchObject({ isAllowed: false, remaining: 0 });
    expect(await two.take(newClient())).toMatchObject({ isAllowed: true, remaining: 199 });
  });

  it('share one count over HTTP', async () => {
    const t = await createTestApp({ runPipeline: false, env: { RATE_LIMIT_PER_MINUTE: '', REDIS_URL: redis.url } });
    const second = await buildApp(t.deps);
    try {
      const { headers } = await t.createOrg();
      const apps = [t.app, second];
      const ready = async () => {
        const left = [];
        for (const app of apps) left.push((await app.inject({ url: '/docs' })).headers['ratelimit-remaining']);
        return new Set(left).size === 2;
      };
      await until(ready);
      const answers = [];
      for (let sent = 0; sent < 201; sent += 1) {
        answers.push((await apps[sent % 2]?.inject({ url: '/api/v1/projects', headers }))?.statusCode);
      }
      expect(answers.filter((status) => status === 200)).toHaveLength(200);
      expect(answers.at(-1)).toBe(429);
    } finally {
      await second.close();
      await t.close();
    }
  });
});

describe('the window in Redis', () => {
  it('slides: no stretch of its length holds more than the limit', async () => {
    const [limit, windowMs] = [20, 300];
    const counts = await connect({ limit, windowMs });
    const client = newClient();
    const taken: { sentAt: number; answeredAt: number }[] = [];
    const startedAt = performance.now();
    while (performance.now() - startedAt < 1_500 || taken.length <= 3 * limit) {
      const sentAt = performance.now();
      const { isAllowed } = await counts.take(client);
      if (isAllowed) taken.push({ sentAt, answeredAt: performance.now() });
      await sleep(3);
    }
    expect(taken.length).toBeGreaterThan(3 * limit);
    // Redis looked at its clock, which has whole milliseconds here, somewhere between the two.
    for (const [place, { sentAt }] of taken.entries()) {
      const { answeredAt } = taken[place + limit] ?? { answeredAt: Number.POSITIVE_INFINITY };
      expect(answeredAt - sentAt).toBeGreaterThan(windowMs - 2);
    }
  });

  it('tells when there is room again, and gives it then', async () => {
    const counts = await connect({ limit: 2, windowMs: 400 });
    const client = newClient();
    await admitted(counts, { client, requests: 2 });
    const { isAllowed, resetMs } = await counts.take(client);
    expect(isAllowed).toBe(false);
    expect(resetMs).toBeGreaterThan(0);
    expect(resetMs).toBeLessThanOrEqual(400);
    await sleep(resetMs + 5);
    expect((await counts.take(client)).isAllowed).toBe(true);
  });

  it('takes back the request that is given back', async () => {
    const counts = await connect({ limit: 2 });
    const client = newClient();
    const { ticket } = await counts.take(client);
    await counts.take(client);
    await counts.giveBack(client, ticket);
    expect(await counts.take(client)).toMatchObject({ isAllowed: true, remaining: 0 });
  });

  it('keeps no credential, and nothing for longer than the window', async () => {
    const counts = await connect();
    const client = newClient();
    await counts.take(client);
    const direct = await createClient({ url: redis.url }).connect();
    const keys = await direct.keys(`*${client}`);
    const ttls = await Promise.all(keys.map((key) => direct.pTTL(key)));
    direct.destroy();
    expect(keys).toEqual([`earshot:requests:${client}`]);
    expect(ttls.every((ttl) => ttl > 0 && ttl <= 60_000)).toBe(true);
  });
});

describe('a Redis that is down', () => {
  const client = 'through-it-all';

  it('fails no request: each instance counts by itself meanwhile, says so once, and comes back', async () => {
    const counts = await connect({ limit: 3 });
    await redis.stop();
    await until(async () => typeof (await counts.take(newClient())).ticket === 'number');
    expect(await admitted(counts, { client, requests: 10 })).toBe(3);
    await sleep(1_200);
    await counts.take(client);
    expect(said.filter((line) => line.includes('cannot be reached'))).toHaveLength(1);
    await redis.start();
    await until(async () => typeof (await counts.take('after')).ticket === 'string');
    expect(said.at(-1)).toContain('is back');
    expect((await counts.take(client)).isAllowed).toBe(true);
  });

  it('and hangs keeps a request waiting only briefly, and only the first', async () => {
    const counts = await connect({ answerTimeoutMs: 250 });
    redis.pause();
    try {
      const from = performance.now();
      expect(typeof (await counts.take(client)).ticket).toBe('number');
      // Without the limit it would wait for good, and without the memory each of the hundred for a quarter of a second.
      expect(performance.now() - from).toBeLessThan(8_000);
      const then = performance.now();
      for (let n = 0; n < 100; n += 1) await counts.take(client);
      expect(performance.now() - then).toBeLessThan(20_000);
    } finally {
      redis.resume();
    }
    await until(async () => typeof (await counts.take(client)).ticket === 'string');
  });

  it('is not what a process takes it for that was busy while the answer came', async () => {
    const counts = await connect({ answerTimeoutMs: 50 });
    const taken = counts.take(newClient());
    await new Promise((resolve) => setImmediate(resolve));
    for (const from = performance.now(); performance.now() - from < 200;);
    expect(typeof (await taken).ticket).toBe('string');
  });

  it('from the start does not keep the service from starting', async () => {
    const env = { RATE_LIMIT_PER_MINUTE: '2', REDIS_URL: 'redis://127.0.0.1:1' };
    const t = await createTestApp({ runPipeline: false, env: { ...env, LOG_LEVEL: 'silent' } });
    try {
      const statuses = [];
      for (let sent = 0; sent < 3; sent += 1) statuses.push((await t.app.inject({ url: '/docs' })).statusCode);
      expect(statuses).toEqual([200, 200, 429]);
    } finally {
      await t.close();
    }
  });
});
