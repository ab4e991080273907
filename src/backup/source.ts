import { open, readdir, readFile, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { entryBytesMax, headerName, manifestName } from './manifest.ts';
import { paddedSize, readTarHeader, tarHeaderBytes, type Entry } from './tar.ts';

/** The pieces of a backup: the header first, the manifest last. Throws if it is not a backup. */
export async function* readBackup(from: string): AsyncGenerator<Entry> {
  const place = path.resolve(from);
  const info = await stat(place).catch(() => undefined);
  if (!info) throw new Error(`There is no backup at ${place}.`);
  if (info.isDirectory()) yield* readFolder(place);
  else yield* readArchive(place);
}

async function* readArchive(place: string): AsyncGenerator<Entry> {
  const file = await open(place, 'r');
  try {
    for (;;) {
      const header = readTarHeader(await take(file, tarHeaderBytes, place));
      if (!header) return;
      if (header.sizeBytes > entryBytesMax) throw notOurs(place);
      const padded = await take(file, paddedSize(header.sizeBytes), place);
      // Skips folders and extra entries that archive programs add.
      if (header.isFile) yield { name: header.name.replace(/^\.\//, ''), bytes: padded.subarray(0, header.sizeBytes) };
    }
  } finally {
    await file.close();
  }
}

async function take(file: FileHandle, sizeBytes: number, place: string): Promise<Buffer> {
  const buffer = Buffer.alloc(sizeBytes);
  let filled = 0;
  while (filled < sizeBytes) {
    const { bytesRead } = await file.read(buffer, filled, sizeBytes - filled);
    if (bytesRead === 0) throw new Error(`${place} is incomplete: the backup was cut off.`);
    filled += bytesRead;
  }
  return buffer;
}

/** In the order of names, which is that of the tables. */
async function* readFolder(folder: string): AsyncGenerator<Entry> {
  const names = await namesIn(folder, '');
  if (!names.includes(headerName)) throw notOurs(folder);
  const between = names.filter((name) => name !== headerName && name !== manifestName);
  const last = names.includes(manifestName) ? [manifestName] : [];
  for (const name of [headerName, ...between, ...last]) yield { name, bytes: await readFile(path.join(folder, name)) };
}

async function namesIn(folder: string, below: string): Promise<string[]> {
  const entries = await readdir(path.join(folder, below), { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const names: string[] = [];
  for (const entry of entries) {
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) names.push(...(await namesIn(folder, name)));
    else if (entry.isFile()) names.push(name);
  }
  return names;
}

function notOurs(place: string): Error {
  return new Error(`${place} is not a backup of Earshot.`);
}
