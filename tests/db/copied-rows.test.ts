import { setTimeout as delay } from 'node:timers/promises';
import postgres, { type Sql, type TransactionSql } from 'postgres';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { copiedRows } from '../../src/db/driver/copied-rows.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let client: Sql;

beforeAll(async () => {
  database = await createTestDatabase({ isEmpty: true });
});
afterAll(() => database.drop());
beforeEach(() => {
  client = postgres(database.url, { max: 1, onnotice: () => {} });
});
afterEach(() => client.end({ timeout: 0 }));

async function readSlowly(tx: TransactionSql, count: number): Promise<number> {
  const rows = tx`copy (select repeat('x', 60) from generate_series(1, ${tx.unsafe(String(count))})) to stdout`;
  let bytes = 0;
  for await (const chunk of copiedRows(rows)) {
    bytes += chunk.length;
    await delay(20);
  }
  return bytes / 61;
}

describe('the statement after a copy', () => {
  // From rows that fit into the buffer of a stream (64 KB) to more than a socket brings at once.
  it.each([1, 400, 1200, 1700, 2100, 2500, 2900, 4000])('is answered after %i rows to a slow reader', async (count) => {
    const [read, answer] = await client.begin(async (tx) => {
      const read = await readSlowly(tx, count);
      const [answer] = await tx<{ next: number }[]>`select 7 as next`;
      return [read, answer?.next];
    });
    expect({ read, answer }).toEqual({ read: count, answer: 7 });
  });

  it('is answered after a reader that fails', async () => {
    const failed = client.begin(async (tx) => {
      for await (const _first of copiedRows(tx`copy (select n from generate_series(1, 300000) n) to stdout`))
        throw new Error('disk full');
    });
    await expect(failed).rejects.toThrow('disk full');
    expect(await client`select 7 as next`).toMatchObject([{ next: 7 }]);
  });
});
