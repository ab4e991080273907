import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { createTRPCClient, httpBatchLink, httpLink } from '@trpc/client';
import superjson from 'superjson';
import { Rubric } from '../../src/model/rubric.ts';
import type { AppRouter } from '../../src/api/router.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';

/** As many checks and phrases as no profile of sense has: whoever sends them keeps nobody else waiting. */
let t: TestApp;
let owner: TestMember;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
});
afterAll(() => t.close());

const url = '/api/v1/profiles';

const letters = (n: number): string => [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('');

/** 2,700 phrases, no two of them alike. */
function richest(seed: string) {
  const phrases = (check: number) =>
    Array.from({ length: 9 }, (_, n) => {
      const own = `${seed}${letters(check * 9 + n)}`;
      return `say${own} may/can${seed} * help${own} with ${seed}${letters(check)}`;
    });
  const checks = (category: number) =>
    Array.from({ length: 50 }, (_, n) => ({
      key: `c${category}.k${n}`,
      title: `Check ${n}`,
      weight: 1,
      kind: 'phrase',
      phrases: phrases(category * 50 + n),
    }));
  const categories = Array.from({ length: 6 }, (_, n) => ({
    key: `c${n}`,
    title: `Category ${n}`,
    weight: 1,
    checks: checks(n),
  }));
  return { name: `Richest ${seed}`, categories, compliance: [] };
}

/** Processor time of this thread, which is that of the event loop. */
async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

async function leastOf(rounds: number, work: (round: number) => unknown): Promise<number> {
  const taken: number[] = [];
  for (let round = 0; round < rounds; round += 1) taken.push(await cpuMsOf(() => work(round)));
  return Math.min(...taken);
}

describe('a profile with thousands of phrases', () => {
  it('is stored, changed and read in less of the event loop than half of checking it once takes', async () => {
    const checkMs = await leastOf(3, (n) => {
      const { categories, compliance } = richest(`own${letters(n)}`);
      Rubric.parse({ categories, compliance });
    });
    const bodies = Array.from({ length: 4 }, (_, n) => richest(`new${letters(n)}`));
    const made: string[] = [];
    const createMs = await leastOf(bodies.length, async (n) => {
      const { status, body } = await t.as(owner, { method: 'POST', url, body: bodies[n] });
      expect(status).toBe(201);
      made.push(body.data.id);
    });
    const [id = ''] = made;
    const updateMs = await leastOf(bodies.length, async (n) => {
      const { categories } = bodies[n] ?? {};
      const { status } = await t.as(owner, { method: 'PATCH', url: `${url}/${id}`, body: { categories } });
      expect(status).toBe(200);
    });
    const getMs = await leastOf(3, () => t.as(owner, { url: `${url}/${id}` }));
    expect({ createMs, updateMs, getMs }).toSatisfy(
      () => Math.max(createMs, updateMs, getMs) < checkMs / 2,
      `checking takes ${checkMs}`,
    );
  });

  it('is checked to the last phrase, and every mistake has its place', async () => {
    const { name, categories, compliance } = richest('odd');
    const last = categories.at(-1)?.checks.at(-1);
    last?.phrases.push('um');
    const wrong = { name, categories, compliance: [...compliance, { key: 'rule', titel: 'Misspelt' }] };
    const { status, body } = await t.as(owner, { method: 'POST', url, body: wrong });
    expect(status).toBe(400);
    expect(body.error.details).toEqual([
      { path: 'categories.5.checks.49.phrases.9', message: expect.stringContaining('at least one word') },
      expect.objectContaining({ path: 'compliance.0.kind' }),
    ]);
  });

  it('gets a version for each of two changes at once, in whichever order', async () => {
    const { name, categories, compliance } = richest('twice');
    const created = await t.as(owner, { method: 'POST', url, body: { name, categories, compliance } });
    const { id } = created.body.data;
    const changes = [{ categories: categories.slice(0, 5) }, { languages: ['en', 'de'] }];
    const answers = await Promise.all(
      changes.map((body) => t.as(owner, { method: 'PATCH', url: `${url}/${id}`, body })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers.map(({ body }) => body.data.version).toSorted()).toEqual([2, 3]);
    const { body } = await t.as(owner, { url: `${url}/${id}` });
    expect(body.data).toMatchObject({ version: 3, languages: ['en', 'de'] });
    expect(body.data.categories).toHaveLength(5);
  });
});

describe('a page of profiles with thousands of phrases', () => {
  const count = 24;
  let reader: TestMember;
  let baseUrl: string;
  const rich = (n: number) => ({
    ...richest('page'),
    name: `Page ${String(n).padStart(2, '0')}`,
    description: `ünïcode ${n}`,
  });

  beforeAll(async () => {
    reader = await t.createOrg();
    baseUrl = await t.listen();
    const seeds = Array.from({ length: count }, (_, n) => n);
    await Promise.all(seeds.map((n) => t.as(reader, { method: 'POST', url, body: rich(n) })));
  });

  const clientOf = (link: typeof httpLink | typeof httpBatchLink) =>
    createTRPCClient<AppRouter>({
      links: [link({ transformer: superjson, url: `${baseUrl}/api/trpc`, headers: reader.headers })],
    });

  it('is the same over REST and RPC as each of them by itself, in the order that was asked for', async () => {
    const { status, body } = await t.as(reader, { url: `${url}?pageSize=100&sort=name&order=desc` });
    expect(status).toBe(200);
    expect(body.meta).toMatchObject({ page: 1, pageSize: 100, total: count + 1 });
    const names = body.data.map(({ name }: { name: string }) => name).filter((name: string) => name.startsWith('Page'));
    expect(names).toEqual(Array.from({ length: count }, (_, n) => rich(count - 1 - n).name));
    const last = body.data.at(-2);
    expect((await t.as(reader, { url: `${url}/${last.id}` })).body.data).toEqual(last);
    for (const link of [httpLink, httpBatchLink]) {
      const page = await clientOf(link).profiles.list.query({ pageSize: 100, sort: 'name', order: 'desc' });
      expect(page.data[0]?.createdAt).toBeInstanceOf(Date);
      expect(JSON.parse(JSON.stringify(page))).toEqual(body);
    }
  });

  it('is no part of a batch, which says so', async () => {
    const client = clientOf(httpBatchLink);
    const [, refused] = await Promise.allSettled([
      client.projects.list.query({}),
      client.profiles.list.query({ pageSize: 100 }),
    ]);
    expect(refused).toMatchObject({ status: 'rejected', reason: { data: { code: 'PAYLOAD_TOO_LARGE' } } });
  });

  it('lets others have their turn: at once it takes a part of the time that reading and writing it would', async () => {
    const list = `${url}?pageSize=100`;
    const text = JSON.stringify((await t.as(reader, { url: list })).body);
    const onceMs = await leastOf(3, () => JSON.stringify(JSON.parse(text)));
    const turns: number[] = [];
    for (let n = 0; n < 3; n += 1) turns.push(await longestTurnOf(() => receive(`${baseUrl}${list}`, reader.headers)));
    expect(Math.min(...turns)).toBeLessThan(onceMs / 2);
  });
});

/** Receives an answer, and looks at none of it. */
async function receive(address: string, headers: Record<string, string>): Promise<void> {
  const [response] = (await once(get(address, { headers }), 'response')) as [IncomingMessage];
  await once(response.resume(), 'end');
}

/** The processor time that the event loop spends without looking for anything else. */
async function longestTurnOf(work: () => Promise<void>): Promise<number> {
  const state = { isOver: false };
  const done = work().finally(() => (state.isOver = true));
  let longestMs = 0;
  while (!state.isOver) longestMs = Math.max(longestMs, await cpuMsOf(() => setImmediate()));
  await done;
  return longestMs;
}
