import { stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Sql } from 'postgres';
import type { Config } from '../config/config.ts';
import type { ObjectStorage } from '../providers/object-storage/interface.ts';
import { assertFolderUsable, assertDiskSpace } from '../setup/start-checks.ts';
import { messageOf } from '../lib/errors.ts';
import { type Finding, of } from './finding.ts';

type StorageSetup = { config: Config; storage: ObjectStorage };

const sampleSize = 20;
const pagesRead = 100;

/**
 * Whether recordings can be stored, and whether the newest ones in the database exist: if not, it is probably the wrong
 * storage.
 */
export async function examineStorage({ config, storage }: StorageSetup, sql: Sql | null): Promise<Finding[]> {
  const say = of('storage');
  const objects = path.resolve(config.DATA_DIR, 'objects');
  if (!config.STORAGE_URL && !(await stat(objects).catch(() => null)) && sql === null) {
    return [say('ok', `there is none in ${objects} yet: the first recording makes it`)];
  }
  try {
    await storage.check();
  } catch (error) {
    return [
      say('error', `Recordings cannot be stored: ${messageOf(error)}. Correct STORAGE_URL and its keys, or DATA_DIR.`),
    ];
  }
  const writable = say('ok', 'takes recordings');
  return sql === null ? [writable] : [writable, await examineRecordings(storage, sql)];
}

async function examineRecordings(storage: ObjectStorage, sql: Sql): Promise<Finding> {
  const say = of('recordings');
  const newest = await sql.begin('read only', async (tx) => {
    await tx`select set_config('role', 'earshot_system', true)`;
    // The newest rows lie at the end of the table; no index leads to them across organizations.
    return tx<{ key: string }[]>`
      select storage_key as key from records
       where storage_key is not null
         and ctid >= format('(%s,0)', greatest(pg_relation_size('records') / 8192 - ${pagesRead}::bigint, 0))::tid
       order by created_at desc limit ${sampleSize}`;
  });
  const stats = await Promise.all(newest.map(async ({ key }) => (await storage.stat(key)) ?? key));
  const missing = stats.filter((found) => typeof found === 'string');
  if (missing.length === 0)
    return say('ok', newest.length === 0 ? 'there are none yet' : `${newest.length} of the latest are there`);
  return say(
    'error',
    `Of the latest ${newest.length} recordings ${missing.length} are missing, such as ${missing[0]}: is this the storage that belongs to the database?`,
  );
}

const gb = 1e9;
const comfortableBytes = 2 * gb;

/** Whether we own the folder, and it has room. */
export async function examineFolder(config: Config): Promise<Finding[]> {
  const folder = path.resolve(config.DATA_DIR);
  const say = of('space');
  try {
    await assertFolderUsable(config);
    await assertDiskSpace(config);
  } catch (error) {
    return [say('error', messageOf(error))];
  }
  const nearest = await existing(folder);
  const { bavail, bsize } = await statfs(nearest);
  const freeBytes = bavail * bsize;
  const free = `${Math.round(freeBytes / (gb / 10)) / 10} GB are free in ${folder}`;
  return [
    freeBytes < comfortableBytes ? say('warning', `Only ${free}: make room before it is full.`) : say('ok', free),
  ];
}

async function existing(folder: string): Promise<string> {
  for (let nearest = folder; ; nearest = path.dirname(nearest)) {
    if ((await stat(nearest).catch(() => null)) || nearest === path.dirname(nearest)) return nearest;
  }
}
