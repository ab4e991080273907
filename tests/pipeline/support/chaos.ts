import { execFile } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/** Children of these processes, and theirs, whose program has one of the names. */
export async function findDescendants(ancestors: number[], programs: string[]): Promise<number[]> {
  const parents = new Map<number, { parent: number; program: string }>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const [, program, parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(stat) ?? [];
    if (program !== undefined) parents.set(Number(name), { parent: Number(parent), program });
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid)?.parent ?? 0;
    return ancestors.includes(parent) || (parent > 1 && isBelow(parent));
  };
  // The kernel keeps fifteen characters of a name.
  const names = new Set(programs.map((program) => program.slice(0, 15)));
  return [...parents].filter(([pid, { program }]) => names.has(program) && isBelow(pid)).map(([pid]) => pid);
}

export type SmallDisk = { fill(): Promise<void>; empty(): Promise<void>; unmount(): Promise<void> };

const run = promisify(execFile);

/** A file system of so many MiB in that folder; undefined where this user may not mount one. */
export async function mountSmallDisk(folder: string, sizeMiB: number): Promise<SmallDisk | undefined> {
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${sizeMiB}m`, 'tmpfs', folder]);
  } catch {
    return undefined;
  }
  const filler = path.join(folder, 'filler');
  return {
    /** To the last byte. */
    async fill() {
      await writeFile(filler, Buffer.alloc(sizeMiB * 1024 * 1024)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOSPC') throw error;
      });
    },
    empty: () => rm(filler, { force: true }),
    unmount: async () => void (await run('umount', ['--lazy', folder])),
  };
}
