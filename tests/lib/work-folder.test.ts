import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeAbandonedFolders, withWorkFolder, workRoot } from '../../src/lib/work-folder.ts';

let dataDir = '';
let root = '';
const children: ChildProcess[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'work-folder-'));
  root = workRoot(dataDir);
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

/** Another process that works in a folder until it is killed. */
async function startWorker(name: string): Promise<ChildProcess> {
  const module = new URL('../../src/lib/work-folder.ts', import.meta.url).href;
  const program = `
    import { writeFile } from 'node:fs/promises';
    const { withWorkFolder } = await import(${JSON.stringify(module)});
    await withWorkFolder(${JSON.stringify({ root, name })}, async (folder) => {
      await writeFile(folder + '/channel-0.wav', 'sound');
      process.stdout.write('ready');
      await new Promise((resolve) => setTimeout(resolve, 600_000));
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}

describe('a work folder', () => {
  it('is empty, is lent to one alone, and is gone afterwards', async () => {
    const lend = () =>
      withWorkFolder({ root, name: 'rec_a' }, async (folder) => [folder, await readdir(folder)] as const);
    const [first, second] = await Promise.all([lend(), lend()]);
    expect([first[1], second[1]]).toEqual([[], []]);
    expect(first[0]).not.toBe(second[0]);
    expect(await readdir(root)).toEqual([]);
  });

  it('is gone when the work in it fails', async () => {
    const work = withWorkFolder({ root, name: 'rec_a' }, async (folder) => {
      await writeFile(path.join(folder, 'sound'), 'a');
      throw new Error('the disk is full');
    });
    await expect(work).rejects.toThrow('the disk is full');
    expect(await readdir(root)).toEqual([]);
  });

  it('is locked whenever it is there, so that one that is left behind is known for it', async () => {
    const unlocked = new Set<string>();
    const looker = new AbortController();
    // Holds the process up, while what it has begun in other threads goes on.
    async function look(): Promise<void> {
      while (!looker.signal.aborted) {
        const from = performance.now();
        while (performance.now() - from < 3) {
          const names = existsSync(root) ? readdirSync(root) : [];
          for (const name of names) if (!existsSync(path.join(root, name, 'owner.lock'))) unlocked.add(name);
        }
        await setImmediate();
      }
    }
    const looking = look();
    for (let turn = 0; turn < 20; turn += 1) {
      await withWorkFolder({ root, name: 'rec_a' }, async (folder) => {
        const files = Array.from({ length: 30 }, (_, index) => path.join(folder, `channel-${index}.wav`));
        await Promise.all(files.map((file) => writeFile(file, 'sound')));
      });
    }
    looker.abort();
    await looking;
    expect(unlocked).toEqual(new Set());
  });

  it('of a dead process is removed at once, those of the living stay', async () => {
    const dead = await startWorker('rec_dead');
    await startWorker('rec_alive');
    dead.kill('SIGKILL');
    await once(dead, 'exit');
    await withWorkFolder({ root, name: 'rec_mine' }, async () => {
      expect(await removeAbandonedFolders(root)).toBe(1);
      const names = (await readdir(root)).map((name) => name.replace(/-.*/, '')).toSorted();
      expect(names).toEqual(['rec_alive', 'rec_mine']);
    });
    expect(await removeAbandonedFolders(root)).toBe(0);
  });

  it('without a lock stays as long as somebody works there, for days', async () => {
    await withWorkFolder({ root, name: 'rec_a', touchMs: 20 }, async (files) => {
      const folder = path.dirname(files);
      // As on a file system that knows no locks.
      await rm(path.join(folder, 'owner.lock'));
      const yesterday = new Date(Date.now() - 86_400_000);
      await utimes(folder, yesterday, yesterday);
      await expect.poll(async () => Date.now() - (await stat(folder)).mtimeMs).toBeLessThan(60_000);
      expect(await removeAbandonedFolders(root)).toBe(0);
    });
  });

  it('without a lock goes by its age', async () => {
    for (const name of ['rec_old-x', 'rec_new-x']) await mkdir(path.join(root, name), { recursive: true });
    const yesterday = new Date(Date.now() - 86_400_000);
    await utimes(path.join(root, 'rec_old-x'), yesterday, yesterday);
    expect(await removeAbandonedFolders(root)).toBe(1);
    expect(await readdir(root)).toEqual(['rec_new-x']);
  });

  it('may be missing altogether', async () => {
    expect(await removeAbandonedFolders(root)).toBe(0);
  });
});
