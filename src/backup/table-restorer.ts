import { createGunzip } from 'node:zlib';
import type { TransactionSql } from 'postgres';
import { applySteps } from '../db/migrations/upgrade.ts';
import type { Progress } from './progress.ts';
import { copyRows } from './copy-rows.ts';
import { countRows } from './counted-rows.ts';
import { tableStream, type Manifest } from './manifest.ts';
import type { OpenedBackup } from './opened-backup.ts';
import type { Stream } from './streams.ts';

export type TableRestorer = {
  rows: ReadonlyMap<string, number>;
  restore(stream: Stream): Promise<Progress>;
  /** Puts policies and triggers back, and continues sequences where they were. */
  finish(sequences: Manifest['sequences']): Promise<void>;
};

/**
 * Creates the tables as they were at the time of the backup, ready to be filled. Throws if the database has some.
 * Triggers are off meanwhile, since the rows that they would write are in the backup too. Foreign keys are checked all
 * the same.
 */
export async function openTables(tx: TransactionSql, { header, migrations }: OpenedBackup): Promise<TableRestorer> {
  await requireEmpty(tx);
  await applySteps(tx, migrations);
  const names = header.tables.map(({ name }) => name);
  await tx`truncate ${tx(names)}`;
  for (const name of names) {
    await tx`alter table ${tx(name)} no force row level security`;
    await tx`alter table ${tx(name)} disable trigger user`;
  }
  const rows = new Map<string, number>();
  let sizeBytes = 0;

  async function restoreTable({ name: stream, parts }: Stream): Promise<Progress> {
    const table = header.tables.find(({ name }, index) => tableStream(index, name) === stream);
    if (!table) throw new Error(`The backup holds ${stream}, which its header does not name.`);
    const gunzip = createGunzip();
    const counted = countRows(gunzip);
    await copyRows(tx, { table, source: parts, through: gunzip, rows: counted.bytes });
    rows.set(table.name, counted.rows());
    sizeBytes += gunzip.bytesWritten;
    return { what: 'tables', done: rows.size, total: names.length, sizeBytes };
  }

  async function finish(sequences: Manifest['sequences']): Promise<void> {
    for (const name of names) {
      await tx`alter table ${tx(name)} force row level security`;
      await tx`alter table ${tx(name)} enable trigger user`;
    }
    for (const { name, value } of sequences) await tx`select setval(${`public.${name}`}::regclass, ${value}::bigint)`;
  }
  return { rows, restore: restoreTable, finish };
}

async function requireEmpty(tx: TransactionSql): Promise<void> {
  const [found] = await tx<{ name: string }[]>`
    select oid::regclass::text as name from pg_class
     where relnamespace in (select oid from pg_namespace where nspname in ('public', 'drizzle')) and relkind in ('r', 'p')
     order by 1 limit 1`;
  if (!found) return;
  throw new Error(
    `The database is not empty: it has the table ${found.name}. Set DATABASE_URL to an empty one, or use a new DATA_DIR.`,
  );
}
