import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import postgres, { type Sql, type TransactionSql } from 'postgres';
import { releaseBackupLock, takeBackupLock } from '../db/backup-lock.ts';
import { readHistory } from '../db/migrations/history.ts';
import { readJournal } from '../db/migrations/journal.ts';
import { readSealingKeys } from '../db/sealing-keys.ts';
import { keyNameOf } from '../lib/secret-box.ts';
import { version } from '../lib/version.ts';
import type { ObjectStorage } from '../providers/object-storage/interface.ts';
import { countRows } from './counted-rows.ts';
import {
  formatVersion,
  headerName,
  keyName,
  manifestName,
  tableStream,
  type Header,
  type Manifest,
} from './manifest.ts';
import { copyObjects } from './objects.ts';
import type { Progress } from './progress.ts';
import { createRowReader, listTables, type Table } from './rows.ts';
import type { Sink } from './sink.ts';
import { createStreamWriter, inParts, type StreamWriter } from './streams.ts';

export type BackupOptions = {
  databaseUrl: string;
  storage: ObjectStorage;
  /** The key file in the data folder, if no setting names a key. */
  key: string | null;
  sink: Sink;
  at: Date;
  onProgress(progress: Progress): void;
};

export type BackupResult = Pick<Manifest, 'objects' | 'missing'> & { rows: number; tables: number };

/**
 * Backs up everything that makes up a service, while it runs: the tables as of one moment, then the recordings that
 * they name. Recordings deleted meanwhile are kept until the end. Migrates nothing.
 */
export async function backUp(options: BackupOptions): Promise<BackupResult> {
  const session = postgres(options.databaseUrl, {
    max: 1,
    onnotice: () => {},
    connection: { application_name: 'earshot-backup', statement_timeout: 0, idle_in_transaction_session_timeout: 0 },
  });
  try {
    if (!(await takeBackupLock(session))) throw new Error('Another backup of this database is under way.');
    const result = await writeAll(session, options);
    await releaseBackupLock(session);
    await options.sink.finish();
    return result;
  } catch (error) {
    await options.sink.discard();
    throw error;
  } finally {
    await session.end({ timeout: 5 });
  }
}

async function writeAll(session: Sql, options: BackupOptions): Promise<BackupResult> {
  const { storage, key, sink, onProgress } = options;
  const writer = createStreamWriter(sink);
  const database = await session.begin('isolation level repeatable read read only', (tx) =>
    writeDatabase(tx, { ...options, writer }),
  );
  const { count, sizeBytes, missing } = await copyObjects({ keys: database.objectKeys, storage, writer, onProgress });
  if (key !== null) await writer.write(keyName, inParts(Readable.from([Buffer.from(key)])));
  const { rows, sequences } = database;
  const objects = { count, sizeBytes };
  const manifest: Manifest = { rows, sequences, objects, missing, digest: writer.digest.read() };
  await sink.write({ name: manifestName, bytes: Buffer.from(JSON.stringify(manifest)) });
  const counts = Object.values(rows);
  return { objects, missing, tables: counts.length, rows: counts.reduce((sum, count) => sum + count, 0) };
}

type Writing = Pick<BackupOptions, 'sink' | 'at' | 'key' | 'onProgress'> & { writer: StreamWriter };
type WrittenDatabase = Pick<Manifest, 'rows' | 'sequences'> & { objectKeys: string[] };

async function writeDatabase(tx: TransactionSql, options: Writing): Promise<WrittenDatabase> {
  const { sink, writer, onProgress } = options;
  const header = await readHeader(tx, options);
  const read = await createRowReader(tx);
  await sink.write({ name: headerName, bytes: Buffer.from(JSON.stringify(header)) });
  const rows: Manifest['rows'] = {};
  let sizeBytes = 0;
  for (const [index, table] of header.tables.entries()) {
    const counted = countRows(read(table));
    const parts = inParts(compressed(counted.bytes));
    sizeBytes += (await writer.write(tableStream(index, table.name), parts)).sizeBytes;
    rows[table.name] = counted.rows();
    onProgress({ what: 'tables', done: index + 1, total: header.tables.length, sizeBytes });
  }
  const sequences = await tx<Manifest['sequences']>`
    select sequencename as name, last_value::text as value from pg_sequences where schemaname = 'public' and last_value is not null`;
  const objectKeys: string[] = [];
  for (const table of header.tables.filter(namesObjects)) {
    const keys = { name: table.name, columns: ['storage_key'] };
    for await (const line of linesOf(read(keys, 'storage_key is not null'))) objectKeys.push(line);
  }
  return { rows, sequences: [...sequences], objectKeys };
}

/** `uploads` are incomplete; what has arrived is named by its record. */
function namesObjects({ name, columns }: Table): boolean {
  return columns.includes('storage_key') && name !== 'uploads';
}

async function readHeader(tx: TransactionSql, { at, key }: Pick<BackupOptions, 'at' | 'key'>): Promise<Header> {
  const [journal, { applied }] = [await readJournal(), await readHistory(tx)];
  if (applied.length === 0)
    throw new Error('This database is not one of Earshot, or the service was never started on it.');
  const tags = new Map(journal.map(({ hash, tag }) => [hash, tag]));
  return {
    format: formatVersion,
    version,
    createdAt: at.toISOString(),
    migrations: applied.map(({ hash }) => ({ hash, tag: tags.get(hash) ?? 'unknown' })),
    tables: await listTables(tx),
    sealedBy: await readSealingKeys(tx),
    ownKey: key === null ? null : keyNameOf(key),
  };
}

function compressed(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const gzip = createGzip();
  const source = Readable.from(chunks, { objectMode: false });
  source.on('error', (error) => gzip.destroy(error));
  return source.pipe(gzip);
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + Buffer.from(chunk).toString()).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
