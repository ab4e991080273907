import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { acquireSharedLock, type HeldLock, isUnlocked } from './file-lock.ts';

/** Lies beside the files, and stays locked while the process that works in the folder lives. */
const lockName = 'owner.lock';
const filesName = 'files';
/** A folder without a lock was just created, or belongs to a release that did not lock. */
const unlockedMsMax = 6 * 60 * 60_000;

/** Where the service keeps temporary files. Several processes may share it. */
export function workRoot(dataDir: string): string {
  return path.resolve(dataDir, 'work');
}

/**
 * Touching shows that the folder is in use, in case locks do not work: files in subfolders leave its own time
 * unchanged.
 */
const touchMsDefault = 10 * 60_000;

/** Creates an empty folder below `root` for the exclusive use of `work`, and removes it afterwards. */
export async function withWorkFolder<T>(
  { root, name, touchMs = touchMsDefault }: { root: string; name: string; touchMs?: number },
  use: (folder: string) => Promise<T>,
): Promise<T> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  // At once, since a process that is killed between the two leaves a folder that stays for hours.
  const folder = mkdtempSync(path.join(root, `${name}-`));
  const lock = tryLock(path.join(folder, lockName));
  const touching = setInterval(() => void touch(folder), touchMs).unref();
  try {
    const files = path.join(folder, filesName);
    await mkdir(files);
    return await use(files);
  } finally {
    clearInterval(touching);
    await removeFolder(folder);
    lock?.release();
  }
}

async function touch(folder: string): Promise<void> {
  const now = new Date();
  await utimes(folder, now, now).catch(() => {});
}

/** Removes what dead processes left below `root`. Returns the number of folders. */
export async function removeAbandonedFolders(root: string): Promise<number> {
  const names = await readdir(root).catch(() => []);
  let removed = 0;
  for (const name of names) {
    const folder = path.join(root, name);
    if (!(await isAbandoned(folder))) continue;
    await removeFolder(folder);
    removed += 1;
  }
  return removed;
}

/** The lock goes last, so that a process that is killed meanwhile leaves a folder that is known to be abandoned. */
async function removeFolder(folder: string): Promise<void> {
  await rm(path.join(folder, filesName), { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
}

async function isAbandoned(folder: string): Promise<boolean> {
  const lock = path.join(folder, lockName);
  if (await stat(lock).catch(() => undefined)) return isFree(lock);
  const info = await stat(folder).catch(() => undefined);
  return info !== undefined && Date.now() - info.mtimeMs >= unlockedMsMax;
}

/** On a file system without locks, the folder's age decides. */
function tryLock(file: string): HeldLock | undefined {
  try {
    return acquireSharedLock(file);
  } catch {
    return undefined;
  }
}

function isFree(lock: string): boolean {
  try {
    return isUnlocked(lock);
  } catch {
    return false;
  }
}
