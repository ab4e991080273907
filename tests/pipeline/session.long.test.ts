import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Session } from '../../src/pipeline/base/session.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { asAdmin } from './support/hosts.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const seconds = 1000;

it('a session answers again within seconds of every loss, whatever it was doing', async () => {
  const session = new Session(database.url);
  const askPid = () =>
    session.ask(async (sql) => (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid ?? 0);
  const settled = async (): Promise<void> => void (await askPid().catch(() => {}));
  /** Until it answers, as those do who ask each second. */
  const answered = async (): Promise<number> => {
    for (;;) {
      const pid = await askPid().catch(() => 0);
      if (pid > 0) return pid;
    }
  };
  const waits: number[] = [];
  const pids = new Set<number>();
  await asAdmin(database.url, async (admin) => {
    for (let round = 0; round < 60; round += 1) {
      const pid = await answered();
      pids.add(pid);
      const lostAt = performance.now();
      const losing = admin`select pg_terminate_backend(${pid})`.then(() => {});
      if (round % 3 === 0) await losing;
      for (let turn = 0; turn < round % 7; turn += 1) await nextTurn();
      await settled();
      await losing;
      await answered();
      waits.push(performance.now() - lostAt);
    }
  });
  expect(pids.size).toBe(60);
  // A loss that nobody notices costs the whole time for an answer, which is five.
  expect(Math.max(...waits)).toBeLessThan(5 * seconds);
  await session.close();
});

it('a session that is closed leaves no connection behind', async () => {
  await asAdmin(database.url, async (admin) => {
    const open = async () =>
      (
        await admin`select from pg_stat_activity where application_name = 'earshot-pipeline' and datname = current_database()`
      ).length;
    const session = new Session(database.url);
    await session.ask((sql) => sql`select 1`);
    expect(await open()).toBeGreaterThan(0);
    await session.close();
    await expect.poll(open).toBe(0);
  });
});
