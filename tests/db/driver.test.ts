import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import postgres, { type Sql, type TransactionSql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStatements } from '../../src/db/driver/statements.ts';
import { drizzleOn, type ScopedClient } from '../../src/db/driver/scoped-client.ts';
import type { OrgTx } from '../../src/db/scope.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const things = pgTable('things', { id: integer('id').notNull(), name: text('name').notNull() });

let database: TestDatabase;
let superuser: Sql;

beforeAll(async () => {
  database = await createTestDatabase({ isEmpty: true });
  superuser = open();
});
afterAll(async () => {
  await superuser.end();
  await database.drop();
});

function open(options: postgres.Options<Record<string, postgres.PostgresType>> = {}): Sql {
  return postgres(database.url, { max: 1, fetch_types: false, onnotice: () => {}, ...options });
}

/** Kills the connection and waits until the server has let go of it. */
async function cut(pid: number): Promise<void> {
  await superuser`select pg_terminate_backend(${pid}, 5000)`;
}

type Asked = { query: string; params: unknown[] };

/** Answers with these rows and tells what it was asked for, by drizzle or anybody. */
function createFakeClient(rows: unknown[][]): { client: ScopedClient; touched: Set<string>; asked: Asked[] } {
  const touched = new Set<string>();
  const asked: Asked[] = [];
  const answer = { values: async () => rows };
  const fake = {
    options: { parsers: {}, serializers: {} },
    unsafe(query: string, params: unknown[]) {
      asked.push({ query, params });
      return answer;
    },
  };
  const client = new Proxy(fake, {
    get(target, name) {
      if (typeof name === 'string') touched.add(name);
      return Reflect.get(target, name) as unknown;
    },
  });
  return { client: client as unknown as ScopedClient, touched, asked };
}

describe('what we borrow of drizzle', () => {
  it('asks of its client `options` and `unsafe(…).values()` alone', async () => {
    const { client, touched, asked } = createFakeClient([[1, 'one']]);
    const rows = await drizzleOn(client)
      .select()
      .from(things)
      .where(sql`${things.id} = ${1}`);
    expect(rows, 'drizzle reads rows in another way: see db/driver/scoped-client.ts.').toEqual([
      { id: 1, name: 'one' },
    ]);
    expect(
      [...touched].filter((name) => name !== 'constructor').sort(),
      'drizzle needs more of a client than the scope gives it: see db/driver/scoped-client.ts.',
    ).toEqual(['options', 'unsafe']);
    expect(asked).toEqual([{ query: expect.stringMatching(/^select .* from "things"/), params: [1] }]);
  });

  it('sends a prepared statement to whatever its property `client` is, and fills in the values', async () => {
    const ask = createStatements();
    const question = (id: number) => ({
      values: { id },
      build: (db: Pick<OrgTx, 'select'>, given: { id: ReturnType<typeof sql.placeholder> }) =>
        db
          .select()
          .from(things)
          .where(sql`${things.id} = ${given.id}`),
    });
    for (const id of [1, 2]) {
      const { client, asked } = createFakeClient([[id, 'a thing']]);
      const moved =
        'A prepared statement of drizzle no longer sends to its property `client`: see db/driver/statements.ts.';
      const answer = await ask({ client } as OrgTx, question(id)).catch((cause: unknown) => {
        throw new Error(moved, { cause });
      });
      expect(asked, `${moved}`).toEqual([{ query: expect.stringContaining('$1'), params: [id] }]);
      expect(answer).toEqual([{ id, name: 'a thing' }]);
    }
  });
});

describe('what we borrow of postgres.js', () => {
  it('prepares by name what is sent by `unsafe` with `prepare`, inside a transaction too', async () => {
    const client = open();
    const prepared = await client.begin(async (tx) => {
      await tx.unsafe('select $1::int', [1], { prepare: true });
      return tx`select count(*)::int as n from pg_prepared_statements where statement = 'select $1::int'`;
    });
    await client.end();
    expect(
      prepared[0]?.['n'],
      'postgres.js does not prepare by name any more, so each query costs a round trip: see db/driver/scoped-client.ts.',
    ).toBe(1);
  });

  it('rejects `begin` as soon as the connection is lost, while the work still goes on', async () => {
    const client = open();
    const { promise: never, resolve: letGo } = Promise.withResolvers<void>();
    let pid = 0;
    const begun = client.begin(async (tx) => {
      pid = (await tx<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid ?? 0;
      await never;
    });
    const outcome = begun.then(
      () => 'resolved',
      (error: { code?: string }) => error.code,
    );
    await expect.poll(() => pid).toBeGreaterThan(0);
    await cut(pid);
    const first = await Promise.race([outcome, new Promise((resolve) => setTimeout(resolve, 10_000, 'hangs'))]);
    expect(
      first,
      'A lost connection no longer ends `begin` before its work: see db/driver/guarded-transaction.ts.',
    ).toMatch(/^(CONNECTION_CLOSED|57P01)$/);
    // Its work must not end: postgres.js would send a ROLLBACK to a socket that is gone, and the process would die.
    void letGo;
    await client.end({ timeout: 0 });
  });

  it('runs a savepoint through the property of the transaction that the guard replaces', async () => {
    const client = open();
    const names = await client.begin(async (tx) => {
      const { savepoint } = tx;
      const seen: string[] = [];
      Object.assign(tx, {
        savepoint: async (work: (inner: TransactionSql) => unknown) => {
          seen.push('guarded');
          return savepoint(work);
        },
      });
      await tx.savepoint((inner) => inner`select 1`);
      return seen;
    });
    await client.end();
    expect(names, '`savepoint` of a transaction cannot be replaced: see db/driver/guarded-transaction.ts.').toEqual([
      'guarded',
    ]);
  });

  it('calls `onclose` once for each connection that ends, and keeps `reserve` and `listen` beside `begin`', async () => {
    let closed = 0;
    const client = open({ onclose: () => (closed += 1), backoff: () => 0.05 });
    const [row] = await client<{ pid: number }[]>`select pg_backend_pid() as pid`;
    await cut(row?.pid ?? 0);
    await expect
      .poll(() => closed, { message: 'postgres.js no longer tells of a lost connection: see db/driver/pool.ts.' })
      .toBe(1);
    for (const name of ['begin', 'reserve', 'listen', 'end']) {
      expect(typeof Reflect.get(client, name), `\`${name}\` is gone: see db/driver/pool.ts.`).toBe('function');
    }
    await client.end();
  });

  it('tells a query from a helper by the `raw` of its first argument, as the session of a pool does', () => {
    const argumentOf = (first: TemplateStringsArray, ..._rest: unknown[]): object => first;
    expect('raw' in argumentOf`select ${1}`).toBe(true);
  });
});

describe('internals of drizzle, postgres.js and tRPC', () => {
  it('are borrowed behind one door each', () => {
    const source = fileURLToPath(new URL('../../src', import.meta.url));
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.startsWith('dashboard/'),
    );
    const doors = [
      { borrowed: /as unknown as (Reserved)?Sql\b/, door: 'db/driver/' },
      { borrowed: /unstable-core-do-not-import/, door: 'nowhere' },
      { borrowed: /\b_def\b/, door: 'trpc/' },
    ];
    const astray = files.flatMap((file) => {
      const words = readFileSync(path.join(source, file), 'utf8');
      return doors
        .filter(({ borrowed, door }) => borrowed.test(words) && !file.startsWith(door))
        .map(({ borrowed, door }) => `${file} has ${String(borrowed)}, which belongs to ${door}`);
    });
    expect(astray).toEqual([]);
  });
});
