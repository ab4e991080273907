import { sql as fragment } from 'drizzle-orm';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createShares } from '../../src/db/shares.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';

/** With a pool of four: what one organization does to another one that shares it. */
describe('an organization with 14 slow readings and 14 slow transactions', () => {
  const heldAtOnce = 14;
  let t: TestApp;
  let greedy: TestMember;
  let neighbour: TestMember;
  let superuser: Sql;

  beforeAll(async () => {
    t = await createTestApp({ runPipeline: false, env: { LOG_LEVEL: 'silent' } });
    greedy = await t.createOrg();
    neighbour = await t.createOrg();
    superuser = postgres(t.deps.config.DATABASE_URL ?? '', { max: 1, onnotice: () => {} });
  });
  afterAll(async () => {
    await superuser.end();
    await t.close();
  });

  it('leaves others their connections, and is itself told to come back later', async () => {
    const { db } = t.deps.services;
    const sleep = fragment`select pg_sleep(60)`;
    const held = Array.from({ length: heldAtOnce }, () => [
      db.readOrg(greedy.orgId, (tx) => tx.execute(sleep)),
      db.withOrg(greedy.orgId, (tx) => tx.execute(sleep)),
    ]).flat();
    const ended = Promise.allSettled(held);
    const projects = { url: '/api/v1/projects' };
    const late = Promise.all([
      t.as(greedy, projects),
      t.as(greedy, { ...projects, method: 'POST', payload: { name: 'Late' } }),
    ]);
    // Answered while all of these are held: nothing ends them before they have been seen.
    const answers = await Promise.all([
      t.as(neighbour, projects),
      t.as(neighbour, { ...projects, method: 'POST', payload: { name: 'Beside' } }),
      t.as(neighbour, { url: '/api/v1/records' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 200]);
    for (const { status, headers, body } of await late) {
      expect({ status, retryAfter: headers['retry-after'], error: body.error }).toEqual({
        status: 503,
        retryAfter: '2',
        error: {
          code: 'SERVICE_UNAVAILABLE',
          message: 'Too many requests of your organization are running at once. Try again shortly.',
        },
      });
    }
    await superuser`select pg_cancel_backend(pid) from pg_stat_activity where query like '%pg_sleep(60)%' and pid <> pg_backend_pid()`;
    await ended;
    expect((await t.as(greedy, projects)).status).toBe(200);
  });
});

describe('shares', () => {
  function setUp(count: number, options?: { waitingMax: number }) {
    const shares = createShares(count, options);
    const held: { orgId: string; release(): void }[] = [];
    const ask = (orgId: string): Promise<void> =>
      shares.hold(orgId, () => new Promise<void>((release) => held.push({ orgId, release })));
    return {
      ask,
      held,
      holders: () => held.map(({ orgId }) => orgId).join(''),
      /** Each letter is an organization that asks once. */
      async askAll(orgIds: string): Promise<void> {
        for (const orgId of orgIds) void ask(orgId);
        await afterAllTurns();
      },
    };
  }

  it.each([
    [1, 'aaa', 'a'],
    [2, 'aaabb', 'ab'],
    [3, 'aaaaab', 'aab'],
    [4, 'aaaaaabbb', 'aab'],
    [10, 'aaaaaaaaaaaabbbbbbbccc', 'aaaaabbbc'],
  ])('of %i, asked for by %s, go to %s', async (count, asked, given) => {
    const { askAll, holders } = setUp(count);
    await askAll(asked);
    expect(holders()).toBe(given);
  });

  it('go round among those who wait', async () => {
    const { askAll, held, holders } = setUp(1);
    await askAll('abbbcd');
    for (let ended = 0; ended < held.length; ended += 1) {
      held[ended]?.release();
      await afterAllTurns();
    }
    expect(holders()).toBe('abcdbb');
  });

  it('refuse what an organization leaves waiting beyond its measure, and nobody else', async () => {
    const { ask, askAll, holders } = setUp(2, { waitingMax: 3 });
    await askAll('aaaa');
    await expect(ask('a')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '2' } });
    await askAll('b');
    expect(holders()).toBe('ab');
  });

  it('are free again however the work ended', async () => {
    const { hold } = createShares(2);
    const failing = Array.from({ length: 5 }, () => hold('a', () => Promise.reject(new Error('broken'))));
    expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
    expect(await hold('b', async () => 'held')).toBe('held');
  });
});

/** Whatever promises have to do with each other is done by then. */
function afterAllTurns(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
