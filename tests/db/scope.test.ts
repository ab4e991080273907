import { eq, sql as fragment } from 'drizzle-orm';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { projects } from '../../src/db/schema/index.ts';
import { StaleCredentialError, type OrgTx } from '../../src/db/scope.ts';
import { toPublicError } from '../../src/trpc/init.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';

let t: TestApp;
let mine: TestMember;
let foreign: TestMember;
let superuser: Sql;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false, env: { DATABASE_POOL_SIZE: '2', LOG_LEVEL: 'silent' } });
  mine = await t.createOrg();
  foreign = await t.createOrg();
  superuser = postgres(t.deps.config.DATABASE_URL ?? '', { max: 2, onnotice: () => {} });
});
afterAll(async () => {
  await superuser.end();
  await t.close();
});

const projectsOf = (orgId: string) =>
  t.deps.services.db.readOrg(orgId, (tx) =>
    tx.execute<{ orgId: string }>(fragment`select org_id as "orgId" from projects`),
  );

describe('a reading', () => {
  it('sees its organization and nothing else, however many of several organizations are under way', async () => {
    const orgIds = Array.from({ length: 40 }, (_, index) => (index % 2 ? mine.orgId : foreign.orgId));
    const seen = await Promise.all(orgIds.map(projectsOf));
    expect(seen.map((rows) => rows.map(({ orgId }) => orgId))).toEqual(orgIds.map((orgId) => [orgId]));
  });

  it('sees nothing outside of any organization', async () => {
    expect(await projectsOf('')).toEqual([]);
  });

  it('gives every statement that was asked at once its own answer', async () => {
    const numbers = await t.deps.services.db.readOrg(mine.orgId, (tx) =>
      Promise.all([1, 2, 3].map((n) => tx.execute<{ n: number }>(fragment`select ${n}::int as n`))),
    );
    expect(numbers.flat()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it('refuses what is asked after the first answer, instead of asking it outside of the organization', async () => {
    const late = t.deps.services.db.readOrg(mine.orgId, async (tx) => {
      await tx.execute(fragment`select 1`);
      return tx.execute(fragment`select 2`);
    });
    await expect(late).rejects.toMatchObject({ cause: { message: expect.stringContaining('scope has ended') } });
    expect(await projectsOf(mine.orgId)).toHaveLength(1);
  });

  it('cannot change anything', async () => {
    const writing = t.deps.services.db.readOrg(mine.orgId, (tx) => tx.execute(fragment`delete from projects`));
    await expect(writing).rejects.toMatchObject({ cause: { code: '25006' } });
    expect(await projectsOf(mine.orgId)).toHaveLength(1);
  });

  it('that fails leaves its connection fit for the next', async () => {
    for (let round = 0; round < 5; round += 1) {
      const failing = t.deps.services.db.readOrg(mine.orgId, (tx) => tx.execute(fragment`select 1 / 0`));
      await expect(failing).rejects.toMatchObject({ cause: { code: '22012' } });
      expect(await projectsOf(foreign.orgId)).toEqual([{ orgId: foreign.orgId }]);
    }
  });

  it('whose connection is lost is done again on another', async () => {
    for (let round = 0; round < 5; round += 1) {
      await superuser`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`;
      expect(await projectsOf(mine.orgId)).toEqual([{ orgId: mine.orgId }]);
    }
  });
});

describe('a look-up', () => {
  const found = (orgId: string) =>
    t.deps.services.db.findInOrg(orgId, (tx) => tx.select({ orgId: projects.orgId }).from(projects));
  const numbers = (select: string) =>
    t.deps.services.db.findInOrg(mine.orgId, (tx) =>
      tx
        .select({ a: fragment<number | null>`n`, b: fragment<number | null>`n` })
        .from(fragment`(${fragment.raw(select)}) as numbers`),
    );

  it('sees its organization and nothing else, however many of several organizations are under way', async () => {
    const orgIds = Array.from({ length: 40 }, (_, index) => (index % 2 ? mine.orgId : foreign.orgId));
    expect(await Promise.all(orgIds.map(found))).toEqual(orgIds.map((orgId) => [{ orgId }]));
  });

  it('sees nothing of another organization that it asks for by name, and nothing outside of any', async () => {
    const asked = t.deps.services.db.findInOrg(mine.orgId, (tx) =>
      tx.select().from(projects).where(eq(projects.orgId, foreign.orgId)),
    );
    expect(await asked).toEqual([]);
    expect(await found('')).toEqual([]);
  });

  it('leaves no organization behind on its connection', async () => {
    await Promise.all([found(mine.orgId), found(mine.orgId)]);
    const left = await t.deps.services.db.findInOrg('', (tx) =>
      tx.select({ orgId: fragment<string>`current_setting('app.org_id', true)` }).from(fragment`(select 1) as one`),
    );
    expect(left).toEqual([{ orgId: '' }]);
    const { connections } = t.deps;
    const settings = await Promise.all(
      [1, 2].map(() => connections.readers.run('', (sql) => sql`select current_setting('app.org_id', true) as org`)),
    );
    expect(settings.flat().map((row) => row['org'] ?? '')).toEqual(['', '']);
  });

  it('tells a row of nulls from no row, and rows of equal column names apart, in their order', async () => {
    expect(await numbers('select null::int as n')).toEqual([{ a: null, b: null }]);
    expect(await numbers('select 1 as n where false')).toEqual([]);
    const rows = await numbers('select n from generate_series(1, 50) as n order by n desc');
    expect(rows).toEqual(Array.from({ length: 50 }, (_, index) => ({ a: 50 - index, b: 50 - index })));
  });

  it('is a single statement, which cannot change anything', async () => {
    const late = t.deps.services.db.findInOrg(mine.orgId, async (tx) => {
      await tx.select().from(projects);
      return tx.select().from(projects);
    });
    await expect(late).rejects.toMatchObject({ cause: { message: 'A look-up is one statement.' } });
    const writing = t.deps.services.db.findInOrg(mine.orgId, (tx) => tx.delete(projects).returning());
    await expect(writing).rejects.toMatchObject({ cause: { code: '42601' } });
    expect(await found(mine.orgId)).toHaveLength(1);
  });

  it('is not asked once its scope has ended, when the connection may serve another organization', async () => {
    const kept = await t.deps.services.db.findInOrg(mine.orgId, async (tx) => ({ tx }));
    await expect(kept.tx.select().from(projects)).rejects.toMatchObject({
      cause: { message: 'This organization scope has ended.' },
    });
  });

  it('locks nothing', async () => {
    const locking = t.deps.services.db.findInOrg(mine.orgId, (tx) => tx.select().from(projects).for('update'));
    await expect(locking).rejects.toMatchObject({ cause: { code: '25006' } });
  });

  it('that fails, or whose connection is lost, leaves none that is unfit for the next', async () => {
    for (let round = 0; round < 5; round += 1) {
      await expect(numbers('select 1 / 0 as n')).rejects.toMatchObject({ cause: { code: '22012' } });
      await superuser`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`;
      expect(await found(mine.orgId)).toEqual([{ orgId: mine.orgId }]);
    }
  });
});

describe('a lost connection', () => {
  it('costs a change and a look across organizations no more than another attempt', async () => {
    const { db } = t.deps.services;
    for (let round = 0; round < 5; round += 1) {
      await superuser`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`;
      const startedAt = performance.now();
      const [changed, seen] = await Promise.all([
        db.withOrg(mine.orgId, (tx) => tx.execute(fragment`update projects set description = ${`round ${round}`}`)),
        t.as(mine, { method: 'POST', url: '/api/v1/projects', payload: { name: `Round ${round}` } }),
      ]);
      expect(changed.count).toBeGreaterThanOrEqual(1);
      expect(seen.status).toBe(201);
      // A loss that nobody notices costs the whole time for an answer, which is five seconds.
      expect(performance.now() - startedAt).toBeLessThan(5_000);
    }
  });
});

describe('a remembered credential', () => {
  type Memory = { epoch: string; isConfirmed: boolean };
  const readAs = (memory: Memory) =>
    t.deps.services.db.asOf(memory).readOrg(mine.orgId, (tx) => tx.execute(fragment`select 1 as one`));
  const findAs = (memory: Memory) =>
    t.deps.services.db.asOf(memory).findInOrg(mine.orgId, (tx) => tx.select({ id: projects.id }).from(projects));

  async function epoch(): Promise<string> {
    const [row] = await superuser`select credential_epoch::text as epoch from orgs where id = ${mine.orgId}`;
    return row?.epoch;
  }

  it('is confirmed by a reading in the epoch that it was read in', async () => {
    const memory = { epoch: await epoch(), isConfirmed: false };
    expect(await readAs(memory)).toEqual([{ one: 1 }]);
    expect(memory.isConfirmed).toBe(true);
  });

  it('is refused in any other, and the answer with it', async () => {
    const memory = { epoch: `${BigInt(await epoch()) - 1n}`, isConfirmed: false };
    await expect(readAs(memory)).rejects.toBeInstanceOf(StaleCredentialError);
    expect(memory.isConfirmed).toBe(false);
  });

  it('is confirmed and refused by a look-up, too', async () => {
    const memory = { epoch: await epoch(), isConfirmed: false };
    expect(await findAs(memory)).not.toEqual([]);
    expect(memory.isConfirmed).toBe(true);
    const past = { epoch: `${BigInt(await epoch()) - 1n}`, isConfirmed: false };
    await expect(findAs(past)).rejects.toMatchObject({ cause: expect.any(StaleCredentialError) });
    expect(past.isConfirmed).toBe(false);
  });

  it.each([
    ['a token is revoked', () => superuser`update api_tokens set revoked_at = now() where user_id = ${mine.userId}`],
    ['a token expires early', () => superuser`update api_tokens set expires_at = now() where user_id = ${mine.userId}`],
    ['a role changes', () => superuser`update memberships set role = 'admin' where user_id = ${mine.userId}`],
    ['projects are limited', () => superuser`update memberships set project_ids = '{}' where user_id = ${mine.userId}`],
    ['a user changes its name', () => superuser`update users set name = 'Other' where id = ${mine.userId}`],
    ['a member is removed', () => superuser`delete from memberships where user_id = ${mine.userId}`],
  ])('belongs to a past epoch once %s', async (_change, change) => {
    const before = await epoch();
    await change();
    expect(await epoch()).not.toBe(before);
  });

  it('outlives the use of a token', async () => {
    const member = await t.addMember(foreign, 'admin');
    const before = await superuser`select credential_epoch from orgs where id = ${foreign.orgId}`;
    await t.as(member, { url: '/api/v1/projects' });
    await superuser`update api_tokens set last_used_at = now() where user_id = ${member.userId}`;
    expect(await superuser`select credential_epoch from orgs where id = ${foreign.orgId}`).toEqual(before);
  });
});

describe('a transaction that falls out with another one', () => {
  beforeAll(async () => {
    await superuser`
      insert into projects (org_id, id, name, profile_id)
      select ${mine.orgId}, 'prj_order_' || n, 'Order ' || n, (select id from profiles where org_id = ${mine.orgId})
        from generate_series(1, 2) n`;
  });

  /** Each holds one row and wants the other one. The one that looks for a deadlock gives way. */
  async function fallOut(scope: (work: (tx: OrgTx) => Promise<string>) => Promise<string>) {
    let runs = 0;
    const held = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const theirs = superuser.begin(async (tx) => {
      await tx`set local deadlock_timeout = '1h'`;
      await tx`update projects set name = 'Theirs 2' where id = 'prj_order_2'`;
      held.resolve();
      await asked.promise;
      await tx`update projects set name = 'Theirs 1' where id = 'prj_order_1'`;
    });
    const theyWait = () => superuser`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%Theirs 1%'`;
    await held.promise;
    const ours = scope(async (tx) => {
      runs += 1;
      await tx.execute(fragment`update projects set name = 'Ours 1' where id = 'prj_order_1'`);
      asked.resolve();
      if (runs === 1) await vi.waitUntil(async () => (await theyWait()).length > 0, { timeout: 45_000 });
      await tx.execute(fragment`update projects set name = 'Ours 2' where id = 'prj_order_2'`);
      return `run ${runs}`;
    });
    const [outcome] = await Promise.all([ours, theirs]);
    const rows = await superuser<{ name: string }[]>`select name from projects where id like 'prj_order_%' order by id`;
    return { outcome, names: rows.map(({ name }) => name) };
  }

  it('is done again, and both succeed', async () => {
    const { db } = t.deps.services;
    const expected = { outcome: 'run 2', names: ['Ours 1', 'Ours 2'] };
    expect(await fallOut((work) => db.withOrg(mine.orgId, work))).toEqual(expected);
    expect(await fallOut((work) => db.together(mine.orgId, (part) => part.withOrg(mine.orgId, work)))).toEqual(
      expected,
    );
  });

  it('does what follows its commit once', async () => {
    let runs = 0;
    let follows = 0;
    await t.deps.services.db.together(mine.orgId, async (db, tx) => {
      runs += 1;
      await db.afterCommit(async () => void (follows += 1));
      if (runs < 3)
        await tx.execute(fragment`do $$ begin raise exception using errcode = 'serialization_failure'; end $$`);
    });
    expect({ runs, follows }).toEqual({ runs: 3, follows: 1 });
  });

  it('is given up at some point, as something that passes', async () => {
    let runs = 0;
    const failing = t.deps.services.db.withOrg(mine.orgId, async (tx) => {
      runs += 1;
      await tx.execute(fragment`do $$ begin raise exception using errcode = 'deadlock_detected'; end $$`);
    });
    const error = await failing.catch((error: unknown) => error);
    expect(toPublicError(error)).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } });
    expect(runs).toBe(4);
  });
});
