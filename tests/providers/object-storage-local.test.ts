import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ObjectStorage, StorageError } from '../../src/providers/object-storage/interface.ts';
import { createLocalStorage } from '../../src/providers/object-storage/local.ts';

let directory: string;
let storage: ObjectStorage;
const key = 'org_1/rec_1';

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'objects-'));
  storage = createLocalStorage({ directory: join(directory, 'objects') });
});

afterEach(async () => {
  await rm(directory, { recursive: true });
});

/** Every file below the directory, leftovers included. */
async function files(): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function keys(prefix?: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of storage.list(prefix)) found.push(key);
  return found.sort();
}

async function storageErrorOf(promise: Promise<unknown>): Promise<StorageError> {
  const err = await promise.then(
    () => undefined,
    (err: unknown) => err,
  );
  if (err instanceof StorageError) return err;
  throw new Error('expected a StorageError', { cause: err });
}

describe('put', () => {
  it('takes chunks away only where it may, and never a part of a larger one', async () => {
    const kept = Buffer.alloc(100_000, 'kept');
    await storage.put(key, Readable.from([kept]));
    expect(kept.length).toBe(100_000);
    const whole = Buffer.alloc(100_000, 'given');
    const larger = Buffer.alloc(100_000, 'larger');
    const chunks = [whole, larger.subarray(0, 50_000)];
    await storage.put(key, Readable.from(chunks), { isBodyDisposable: true });
    expect(whole.length).toBe(0);
    expect(larger.length).toBe(100_000);
    const expected = Buffer.concat([Buffer.alloc(100_000, 'given'), larger.subarray(0, 50_000)]);
    expect((await buffer(await storage.open(key))).equals(expected)).toBe(true);
  });

  it('stops reading where the disk cannot take more, and says that this may pass', async () => {
    await mkdir(join(directory, 'objects'), { recursive: true });
    await writeFile(join(directory, 'objects', '.incoming'), 'a file in the way');
    const body = Readable.from([Buffer.alloc(10)]);
    const err = await storageErrorOf(storage.put(key, body));
    expect(err.reason).toBe('unavailable');
    expect(body.destroyed).toBe(true);
    expect((await storageErrorOf(storage.check())).reason).toBe('unavailable');
  });

  it('gives nobody else access to the files', async () => {
    await storage.put(key, Readable.from([Buffer.from('secret')]));
    const [file = ''] = await files();
    expect((await stat(file)).mode & 0o077).toBe(0);
    expect((await stat(join(directory, 'objects'))).mode & 0o077).toBe(0);
    await chmod(file, 0o600);
  });
});

describe('open', () => {
  it('goes on reading an object that is removed meanwhile', async () => {
    const bytes = randomBytes(1_000_000);
    await storage.put(key, Readable.from([bytes]));
    const stream = await storage.open(key);
    await storage.remove(key);
    expect((await buffer(stream)).equals(bytes)).toBe(true);
  });
});

describe('remove', () => {
  it('removes the folder of a record with its last object, whoever is writing beside it', async () => {
    await storage.put('org_1/rec_1/a', Readable.from([Buffer.from('x')]));
    await storage.put('org_1/rec_1/b', Readable.from([Buffer.from('x')]));
    await storage.remove('org_1/rec_1/a');
    expect(await keys()).toEqual(['org_1/rec_1/b']);
    const rounds = Array.from({ length: 40 }, (_, at) => at);
    await Promise.all(
      rounds.map(async (at) => {
        await storage.put(`org_1/rec_2/k${at}`, Readable.from([Buffer.from('x')]));
        await storage.remove(`org_1/rec_2/k${at}`);
      }),
    );
    await storage.remove('org_1/rec_1/b');
    expect(await readdir(join(directory, 'objects', 'org_1'))).toEqual([]);
  });

  it('removes what a killed process left of this key, and of no other', async () => {
    const incoming = join(directory, 'objects', '.incoming');
    await mkdir(incoming, { recursive: true });
    await writeFile(join(incoming, 'org_1~rec_1~~aaaa'), 'half');
    await writeFile(join(incoming, 'org_1~rec_12~~bbbb'), 'half of another');
    await storage.remove(key);
    expect(await readdir(incoming)).toEqual(['org_1~rec_12~~bbbb']);
  });
});

describe('removeIncomplete', () => {
  it('removes leftovers from before a time and nothing else', async () => {
    const incoming = join(directory, 'objects', '.incoming');
    await storage.put(key, Readable.from([Buffer.from('whole')]));
    await writeFile(join(incoming, 'org_1~rec_2~~old'), 'half');
    await writeFile(join(incoming, 'org_1~rec_3~~new'), 'half');
    const hourAgo = new Date(Date.now() - 3_600_000);
    await utimes(join(incoming, 'org_1~rec_2~~old'), hourAgo, hourAgo);
    expect(await storage.removeIncomplete(new Date(Date.now() - 60_000))).toBe(1);
    expect(await readdir(incoming)).toEqual(['org_1~rec_3~~new']);
    expect(await keys()).toEqual([key]);
  });
});
