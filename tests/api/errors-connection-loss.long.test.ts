import { setTimeout as sleep } from 'node:timers/promises';
import { sql as fragment } from 'drizzle-orm';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../src/db/client.ts';
import { isDatabaseDown } from '../../src/db/failures.ts';
import type { OrgTx } from '../../src/db/scope.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';

let t: TestApp;
let owner: TestMember;
let superuser: Sql;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false, env: { DATABASE_POOL_SIZE: '2', LOG_LEVEL: 'silent' } });
  owner = await t.createOrg();
  superuser = postgres(t.deps.config.DATABASE_URL ?? '', { max: 1 });
});
afterAll(async () => {
  await superuser.end();
  await t.close();
});

/** What a restart of the server does to every session, and the time that the news takes. */
async function loseConnections(): Promise<void> {
  await superuser`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  await sleep(50);
}

async function sleepers(): Promise<number> {
  const rows = await superuser`select from pg_stat_activity
    where datname = current_database() and state = 'active' and query = 'select pg_sleep(5)'`;
  return rows.length;
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}

describe('a transaction whose connection is lost', () => {
  it('while it waits for something else fails as a database that is down, and the process lives', async () => {
    const { db } = t.deps.services;
    let held: OrgTx | undefined;
    const lost = db.withOrg(owner.orgId, async (tx) => {
      held = tx;
      await tx.execute(fragment`select 1`);
      await loseConnections();
      return 'done';
    });
    expect(isDatabaseDown(await failureOf(lost))).toBe(true);
    await expect(held?.execute(fragment`select 1`)).rejects.toMatchObject({
      cause: { message: expect.stringContaining('scope has ended') },
    });
    await sleep(50);
    expect(await t.as(owner, { url: '/api/v1/projects' })).toMatchObject({ status: 200 });
  });

  it('while a statement runs fails as well, however often it happens', async () => {
    const { app, system } = t.deps.connections;
    for (let round = 0; round < 5; round += 1) {
      const begun = [app, system].map((sql) =>
        failureOf(
          sql.begin(async (tx) => {
            await tx`select pg_sleep(5)`;
          }),
        ),
      );
      await expect.poll(sleepers).toBe(2);
      await loseConnections();
      expect((await Promise.all(begun)).map(isDatabaseDown)).toEqual([true, true]);
    }
    expect(await t.as(owner, { url: '/api/v1/projects' })).toMatchObject({ status: 200 });
  });

  it('in a session of its own is told so, instead of talking to a socket that is gone', async () => {
    const session = await t.deps.connections.system.reserve();
    expect(await session`select 1 as one`).toEqual([{ one: 1 }]);
    await loseConnections();
    expect(isDatabaseDown(await failureOf(Promise.resolve(session`select 1`)))).toBe(true);
    session.release();
    expect(await t.as(owner, { url: '/api/v1/projects' })).toMatchObject({ status: 200 });
  });
});

describe('a session of its own', () => {
  it('can be had before anything else was asked, keeps what was set on it, and ends with its release', async () => {
    const connections = connect({ url: t.deps.config.DATABASE_URL ?? '', poolSizeMax: 2, applicationName: 'fresh' });
    const session = await connections.system.reserve();
    await session`select set_config('app.canary', 'mine', false)`;
    const [own] = await session`select current_setting('app.canary', true) as canary, current_user as role`;
    expect(own).toEqual({ canary: 'mine', role: 'earshot_system' });
    const [other] = await connections.system`select current_setting('app.canary', true) as canary`;
    expect(other?.canary ?? '').toBe('');
    session.release();
    await connections.close();
    const open = () => superuser`select from pg_stat_activity where application_name = 'fresh'`;
    await expect.poll(async () => (await open()).length).toBe(0);
  });
});

describe('an organization scope', () => {
  it('cannot be used after it has ended', async () => {
    let leaked: OrgTx | undefined;
    await t.deps.services.db.withOrg(owner.orgId, async (tx) => {
      leaked = tx;
    });
    await expect(leaked?.execute(fragment`select 1`)).rejects.toMatchObject({
      cause: { message: expect.stringContaining('scope has ended') },
    });
  });

  it('is not waited for without end when every connection is busy', async () => {
    const busy = Promise.allSettled(
      Array.from({ length: 2 }, () =>
        t.deps.services.db.readOrg(owner.orgId, (tx) => tx.execute(fragment`select pg_sleep(15)`)),
      ),
    );
    const startedAt = performance.now();
    const answer = await t.as(owner, { url: '/api/v1/projects' });
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    await superuser`
      select pg_cancel_backend(pid) from pg_stat_activity where query like '%pg_sleep(15)%' and pid <> pg_backend_pid()`;
    await busy;
    expect(await t.as(owner, { url: '/api/v1/projects' })).toMatchObject({ status: 200 });
  });

  it('is not waited for without end where the use of a token cannot be noted', async () => {
    const fresh = await t.addMember(owner, 'admin');
    const startedAt = performance.now();
    await superuser.begin(async (tx) => {
      // Tokens can be read, and not written.
      await tx`lock table api_tokens in exclusive mode`;
      const answer = await t.as(fresh, { url: '/api/v1/projects' });
      expect(answer).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } });
    });
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    expect(await t.as(fresh, { url: '/api/v1/projects' })).toMatchObject({ status: 200 });
  });
});
