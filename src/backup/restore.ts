import { migrate, withMigrator } from '../db/migrate.ts';
import type { Logger } from '../lib/logger.ts';
import type { ObjectStorage } from '../providers/object-storage/interface.ts';
import type { Progress } from './progress.ts';
import { createDigest, keyName, Manifest, manifestName, objectsFolder, tablesFolder } from './manifest.ts';
import { createObjectRestorer } from './objects.ts';
import type { OpenedBackup } from './opened-backup.ts';
import { readStreams, type Stream } from './streams.ts';
import { openTables, type TableRestorer } from './table-restorer.ts';

export type RestoreOptions = {
  backup: OpenedBackup;
  databaseUrl: string;
  storage: ObjectStorage;
  /** Stores the key of the backup; undefined if it is not wanted. */
  keepKey: ((key: string) => Promise<void>) | undefined;
  log: Logger;
  onProgress(progress: Progress): void;
};

export type Restored = {
  tables: number;
  rows: number;
  objects: { count: number; sizeBytes: number };
  missing: string[];
};

/**
 * Restores a backup into an empty database and an empty storage, and migrates them. A failure leaves both empty: the
 * database is written in one transaction, which commits once everything was read and verified.
 */
export async function restore(options: RestoreOptions): Promise<Restored> {
  try {
    return await fill(options);
  } finally {
    await options.backup.entries.return(undefined);
  }
}

async function fill(options: RestoreOptions): Promise<Restored> {
  const { databaseUrl, storage, log } = options;
  for await (const { key } of storage.list()) {
    throw new Error(`The storage is not empty: it contains ${key}. Use an empty one, or a new DATA_DIR.`);
  }
  const restored = await withMigrator(databaseUrl, (sql) =>
    sql.begin(async (tx) => {
      const tables = await openTables(tx, options.backup);
      const objects = createObjectRestorer(storage);
      try {
        return await readAll(options, { tables, objects });
      } catch (error) {
        await objects.settle();
        for await (const { key } of storage.list()) await storage.remove(key);
        throw error;
      }
    }),
  );
  await migrate({ url: databaseUrl, log });
  await withMigrator(databaseUrl, (sql) => sql`analyze`);
  return restored;
}

async function readAll(
  { backup, keepKey, onProgress }: RestoreOptions,
  { tables, objects }: { tables: TableRestorer; objects: ReturnType<typeof createObjectRestorer> },
): Promise<Restored> {
  const digest = createDigest();
  let manifest: Manifest | undefined;
  let key: string | undefined;
  const streams = readStreams(backup.entries, {
    digest,
    onEntry({ name, bytes }) {
      if (name === manifestName) manifest = Manifest.parse(JSON.parse(bytes.toString()));
    },
  });
  for await (const stream of streams) {
    if (stream.name.startsWith(tablesFolder)) onProgress(await tables.restore(stream));
    else if (stream.name.startsWith(objectsFolder)) await objects.restore(stream);
    else if (stream.name === keyName) key = await textOf(stream);
    else throw new Error(`The backup contains ${stream.name}, which Earshot does not know.`);
    if (objects.copied.count > 0) {
      const { count: done, sizeBytes } = objects.copied;
      onProgress({ what: 'recordings', done, total: done, sizeBytes });
    }
  }
  await objects.finish();
  const proved = requireWhole({ manifest, digest: digest.read(), rows: tables.rows });
  await tables.finish(proved.sequences);
  if (keepKey && key !== undefined) await keepKey(key);
  const counts = Object.values(proved.rows);
  return {
    tables: counts.length,
    rows: counts.reduce((sum, count) => sum + count, 0),
    objects: objects.copied,
    missing: proved.missing,
  };
}

type Proof = { manifest: Manifest | undefined; digest: string; rows: ReadonlyMap<string, number> };

function requireWhole({ manifest, digest, rows }: Proof): Manifest {
  if (!manifest) throw new Error('The backup is incomplete: its manifest is missing. Nothing was restored.');
  const wrong = Object.entries(manifest.rows).find(([table, count]) => rows.get(table) !== count);
  if (wrong) throw new Error(`The backup is damaged: rows of ${wrong[0]} are missing. Nothing was restored.`);
  if (manifest.digest !== digest)
    throw new Error('The backup is damaged: its checksum does not match. Nothing was restored.');
  return manifest;
}

async function textOf({ parts }: Stream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const part of parts) chunks.push(part);
  return Buffer.concat(chunks).toString();
}
