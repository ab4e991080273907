import { randomBytes } from 'node:crypto';
import { lstat, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { tarEnd, toTarEntry, type Entry } from './tar.ts';

/** Takes a backup piece by piece. Unless `finish` is called, nothing is left that could be mistaken for a backup. */
export type Sink = {
  write(entry: Entry): Promise<void>;
  finish(): Promise<void>;
  discard(): Promise<void>;
};

/** A file if the name ends in `.tar`, else a folder. Throws if it exists. */
export async function openSink(to: string, at: Date): Promise<Sink> {
  const target = path.resolve(to);
  return target.endsWith('.tar') ? openFile(target, at) : openFolder(target);
}

async function openFile(target: string, at: Date): Promise<Sink> {
  if (await lstat(target).catch(() => undefined)) throw alreadyThere(target);
  await mkdir(path.dirname(target), { recursive: true });
  const draft = `${target}.${randomBytes(4).toString('hex')}.part`;
  const file = await open(draft, 'wx', 0o600);
  const append = async (buffers: Buffer[]): Promise<void> => {
    for (const buffer of buffers) await file.writeFile(buffer);
  };
  return {
    write: (entry) => append(toTarEntry(entry, at)),
    async finish() {
      await append([tarEnd]);
      await file.sync();
      await file.close();
      await rename(draft, target);
    },
    async discard() {
      await file.close();
      await rm(draft, { force: true });
    },
  };
}

async function openFolder(target: string): Promise<Sink> {
  await mkdir(target, { recursive: true, mode: 0o700 });
  if ((await readdir(target)).length > 0) throw alreadyThere(target);
  const folders = new Set<string>();
  return {
    async write({ name, bytes }) {
      const file = path.join(target, name);
      const folder = path.dirname(file);
      if (!folders.has(folder)) await mkdir(folder, { recursive: true, mode: 0o700 });
      folders.add(folder);
      await writeFile(file, bytes, { flag: 'wx', mode: 0o600, flush: true });
    },
    async finish() {},
    async discard() {
      for (const name of await readdir(target)) await rm(path.join(target, name), { recursive: true, force: true });
    },
  };
}

function alreadyThere(target: string): Error {
  return new Error(`${target} exists already: name a new file or folder.`);
}
