import { readFile, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

const memory = '/dev/shm';
const roomBytesMin = 6_000_000_000;

type Places = {
  /** Where the Postgres of the run keeps its files. */
  databases: string;
  /** Where tests make temporary files, some of which are programs. */
  files: string;
};

/**
 * In memory where there is room: there, a database of 840 files is copied and removed in a quarter of the processor
 * time that a disk's file system takes.
 */
export async function places(): Promise<Places> {
  const disk = tmpdir();
  if (!(await hasRoom())) return { databases: disk, files: disk };
  return { databases: memory, files: (await runsPrograms()) ? memory : disk };
}

async function hasRoom(): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(memory);
    return Math.min(bavail * bsize, process.availableMemory()) >= roomBytesMin;
  } catch {
    return false;
  }
}

/** Containers often have it mounted so that nothing there can be run. */
async function runsPrograms(): Promise<boolean> {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '');
  const options = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .findLast(([, target]) => target === memory)?.[3];
  return options !== undefined && !options.split(',').includes('noexec');
}
