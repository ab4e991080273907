import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type SmallDisk = {
  /** A folder on it. */
  path: string;
  /** Leaves no room at all. */
  fill(): Promise<void>;
  /** Gives back what `fill` took. */
  free(): Promise<void>;
  remove(): Promise<void>;
};

/** A disk in memory that a test can fill up. Null, and said so, where this user may mount none. */
export async function mountSmallDisk(sizeMb: number): Promise<SmallDisk | null> {
  const folder = await mkdtemp(path.join(tmpdir(), 'earshot-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=0755`, 'tmpfs', folder]);
  } catch (error) {
    await rm(folder, { recursive: true });
    process.stdout.write(`No disk can be mounted here, so nothing is tried on a full one: ${String(error)}\n`);
    return null;
  }
  const filler = path.join(folder, 'filler');
  return {
    path: folder,
    async fill() {
      const file = await open(filler, 'a');
      try {
        for (const size of [1024 * 1024, 4096]) await writeUntilFull(file, Buffer.alloc(size));
      } finally {
        await file.close();
      }
    },
    free: () => rm(filler, { force: true }),
    async remove() {
      await run('umount', ['--lazy', folder]);
      await rm(folder, { recursive: true });
    },
  };
}

async function writeUntilFull(file: Awaited<ReturnType<typeof open>>, bytes: Buffer): Promise<void> {
  try {
    for (;;) {
      const { bytesWritten } = await file.write(bytes);
      if (bytesWritten === 0) return;
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}
