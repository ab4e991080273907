import { randomUUID } from 'node:crypto';
import { access, constants, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import type { Config } from '../config/config.ts';
import { userNameOf } from '../db/embedded-account.ts';
import { StartError } from '../lib/start-error.ts';

type Address = Pick<Config, 'HOST' | 'PORT'>;
type Folder = Pick<Config, 'DATA_DIR' | 'DATABASE_URL'>;

const mb = 1024 * 1024;
/** A new database takes 41 MB, an existing one its next 16 MB of log. The rest is for the first recordings. */
const freeBytesMin = { newDatabase: 200 * mb, database: 32 * mb, folder: 8 * mb };

/** Checks for everything that would stop a start halfway, before anything is created. Throws StartError. */
export async function assertCanStart(config: Address & Folder): Promise<void> {
  await assertPortFree(config);
  await assertFolderUsable(config);
  await assertDiskSpace(config);
}

/** What to do if the port is unusable; null for other errors. */
export function portErrorOf(error: unknown, { HOST, PORT }: Address): StartError | null {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const say = (text: string): StartError => new StartError(text, { cause: error });
  switch (code) {
    case 'EADDRINUSE':
      return say(
        `Port ${PORT} of ${HOST} is in use: end the program that listens there, or choose another one, as in PORT=${PORT + 1}.`,
      );
    case 'EACCES':
      return say(`Port ${PORT} is not open to this user: choose one from 1024 on, as in PORT=3000.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return say(
        `HOST=${HOST} is not an address of this machine: set it to 127.0.0.1, or to 0.0.0.0 for all addresses.`,
      );
    default:
      return null;
  }
}

async function assertPortFree({ HOST: host, PORT: port }: Address): Promise<void> {
  if (port === 0) return;
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port, exclusive: true }, resolve);
    });
  } catch (error) {
    throw portErrorOf(error, { HOST: host, PORT: port }) ?? error;
  }
  await new Promise((resolve) => server.close(resolve));
}

/** What the service keeps in its folder: these must be writable, the key file only readable. */
const subfolders = ['postgres', 'objects', 'work', 'outbox'];
const keyFile = 'secrets.key';

/**
 * Throws StartError if the folder, or something of ours in it, belongs to another user. Creates and changes nothing.
 */
export async function assertFolderUsable({ DATA_DIR, DATABASE_URL }: Folder): Promise<void> {
  const folder = path.resolve(DATA_DIR);
  const nearest = await nearestExisting(folder);
  if (!(await stat(nearest)).isDirectory()) {
    throw new StartError(
      `DATA_DIR (${folder}) needs a folder, and ${nearest} is a file: set DATA_DIR to another path.`,
    );
  }
  if (nearest !== folder) return assertAccess(nearest, { folder });
  await assertAccess(folder, { folder });
  for (const name of subfolders) await assertAccess(path.join(folder, name), { folder });
  await assertAccess(path.join(folder, keyFile), { folder, mode: constants.R_OK });
  if (!DATABASE_URL) await assertOwned(path.join(folder, 'postgres', 'cluster'), folder);
}

type Access = { folder: string; mode?: number };

async function assertAccess(target: string, { folder, mode = constants.W_OK | constants.X_OK }: Access): Promise<void> {
  try {
    await access(target, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return;
    if (code === 'EROFS') {
      const message = `DATA_DIR (${folder}) is mounted read-only: mount it for writing, or set DATA_DIR to another folder.`;
      throw new StartError(message, { cause: error });
    }
    throw await foreign(target, folder);
  }
}

/** Postgres opens a database only for its owner; if the service is root, the database runs as that owner. */
async function assertOwned(cluster: string, folder: string): Promise<void> {
  const owner = await stat(cluster).catch(() => undefined);
  const uid = process.geteuid?.();
  if (owner && uid !== undefined && uid !== 0 && owner.uid !== uid) throw await foreign(cluster, folder);
}

async function foreign(target: string, folder: string): Promise<StartError> {
  const me = await userNameOf(process.geteuid?.() ?? 0);
  if (!target.startsWith(folder)) {
    return new StartError(
      `DATA_DIR (${folder}) cannot be made by user ${me}, who may not change ${target}: make it for ${me}, or set DATA_DIR to another folder.`,
    );
  }
  const owner = await stat(target).catch(() => undefined);
  const them = owner && (await userNameOf(owner.uid));
  const whose =
    them === undefined || them === me ? `does not let user ${me} in` : `belongs to user ${them}, not to ${me}`;
  const asThem = them === undefined || them === me ? '' : `start as ${them}, `;
  return new StartError(
    `${target} ${whose}: ${asThem}give it to ${me} (chown -R ${me} ${folder}), or set DATA_DIR to another folder.`,
  );
}

/**
 * Throws StartError if the disk of the folder is full. A quota shows only on writing, a nearly full disk only when
 * asked.
 */
export async function assertDiskSpace({ DATA_DIR, DATABASE_URL }: Folder): Promise<void> {
  const folder = path.resolve(DATA_DIR);
  const nearest = await nearestExisting(folder);
  const hasDatabase = (await stat(path.join(folder, 'postgres', 'cluster')).catch(() => null)) !== null;
  const neededBytes = DATABASE_URL ? freeBytesMin.folder : freeBytesMin[hasDatabase ? 'database' : 'newDatabase'];
  const { bavail, bsize, blocks } = await statfs(nearest);
  // Some file systems do not report it.
  if (blocks > 0 && bavail * bsize < neededBytes) throw full({ folder, freeBytes: bavail * bsize, neededBytes });
  if (nearest === folder) await tryToWrite(folder, neededBytes);
}

async function tryToWrite(folder: string, neededBytes: number): Promise<void> {
  const trial = path.join(folder, `.start-${randomUUID()}`);
  try {
    await writeFile(trial, Buffer.alloc(4096), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT') throw full({ folder, freeBytes: 0, neededBytes });
    throw error;
  } finally {
    await rm(trial, { force: true });
  }
}

type DiskSpace = { folder: string; freeBytes: number; neededBytes: number };

function full({ folder, freeBytes, neededBytes }: DiskSpace): StartError {
  const free = Math.floor(freeBytes / mb);
  return new StartError(
    `The disk of DATA_DIR (${folder}) is full: ${free} MB are free and a start takes ${neededBytes / mb} MB. Make room, or set DATA_DIR to another disk.`,
  );
}

async function nearestExisting(folder: string): Promise<string> {
  for (let nearest = folder; ; nearest = path.dirname(nearest)) {
    const found = await stat(nearest).catch((error: NodeJS.ErrnoException) => error.code ?? 'unknown');
    if (typeof found !== 'string' || nearest === path.dirname(nearest)) return nearest;
    // Nothing is visible below a folder that we may not enter.
    if (found === 'EACCES') throw await foreign(await closedAbove(nearest), folder);
  }
}

async function closedAbove(folder: string): Promise<string> {
  for (let above = path.dirname(folder); ; above = path.dirname(above)) {
    if ((await stat(above).catch(() => null)) || above === path.dirname(above)) return above;
  }
}
