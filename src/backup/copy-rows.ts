import { once } from 'node:events';
import { Readable, type Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import postgres, { type TransactionSql } from 'postgres';
import type { Table } from './rows.ts';
import { messageOf } from '../lib/errors.ts';

type Copying = {
  table: Table;
  source: AsyncIterable<Uint8Array>;
  /** Decompresses the source; `rows` is its output. */
  through: Duplex;
  rows: AsyncIterable<Uint8Array>;
};

/** Fills a table with rows in the format of `COPY`. Throws with the reason; the transaction is unusable afterwards. */
export async function copyRows(tx: TransactionSql, { table, source, through, rows }: Copying): Promise<void> {
  const { name, columns } = table;
  try {
    const copy = await tx`copy ${tx(name)} (${tx(columns)}) from stdin`.writable();
    const ends = await Promise.allSettled([
      pipeline(Readable.from(source), through),
      pipeline(Readable.from(rows), copy, { end: false }),
    ]);
    for (const end of ends) {
      if (end.status === 'fulfilled') continue;
      copy.destroy();
      throw end.reason;
    }
    const finished = once(copy, 'finish');
    copy.end();
    // postgres.js does not report errors at the end of a COPY; the next statement fails because of them.
    await Promise.race([finished, tx`select 1`]);
    await finished;
  } catch (error) {
    const reason = isAborted(error) ? 'they refer to rows that the backup lacks' : messageOf(error);
    throw new Error(`The rows of ${name} cannot be restored: ${reason}. Nothing was restored.`, { cause: error });
  }
}

function isAborted(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === '25P02';
}
