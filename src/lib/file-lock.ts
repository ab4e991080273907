import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

const sqliteBusy = 5;

// A lock lives as long as its connection: this set keeps garbage collection from releasing it.
const heldConnections = new Set<DatabaseSync>();

export type HeldLock = { release(): void };

/**
 * Waits for the exclusive lock on a file. SQLite uses the operating system's file locks, so a lock ends with its
 * process, even after `kill -9`, and no lock is ever stale. Throws if the lock is not free within `timeoutMs`.
 */
export async function acquireExclusiveLock({
  path,
  timeoutMs,
}: {
  path: string;
  timeoutMs: number;
}): Promise<HeldLock> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const lock = tryLock(path, 'exclusive');
    if (lock) return lock;
    if (Date.now() >= deadline) throw new Error(`Another process has held ${path} for ${timeoutMs} ms.`);
    await sleep(15);
  }
}

/** Takes a shared lock on the file, which any number of processes and callers may hold at once. */
export function acquireSharedLock(path: string): HeldLock | undefined {
  return tryLock(path, 'shared');
}

/** Whether no process holds the file, neither shared nor exclusively. */
export function isUnlocked(path: string): boolean {
  const lock = tryLock(path, 'exclusive');
  lock?.release();
  return lock !== undefined;
}

function tryLock(path: string, kind: 'exclusive' | 'shared'): HeldLock | undefined {
  const connection = new DatabaseSync(path, { timeout: 0 });
  try {
    connection.exec(kind === 'exclusive' ? 'BEGIN EXCLUSIVE' : 'BEGIN');
    if (kind === 'shared') connection.prepare('SELECT count(*) FROM sqlite_schema').get();
  } catch (error) {
    connection.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  heldConnections.add(connection);
  return {
    release() {
      if (!heldConnections.delete(connection)) return;
      connection.close();
    },
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;
}
