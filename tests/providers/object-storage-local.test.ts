import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
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

function failingAfter(chunks: Buffer[], error: Error): Readable {
  return Readable.from(
    (async function* () {
      yield* chunks;
      throw error;
    })(),
    { objectMode: false },
  );
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
  it('stores all bytes and tells their number and hash', async () => {
    const bytes = randomBytes(3_000_000);
    const stored = await storage.put(key, Readable.from([bytes.subarray(0, 1_000_001), bytes.subarray(1_000_001)]));
    expect(stored).toEqual({ sizeBytes: 3_000_000, sha256: createHash('sha256').update(bytes).digest('hex') });
    expect((await buffer(await storage.open(key))).equals(bytes)).toBe(true);
    expect(await storage.stat(key)).toMatchObject({ key, sizeBytes: 3_000_000 });
    expect(await files()).toHaveLength(1);
  });

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

  it('stores an object without bytes', async () => {
    expect((await storage.put(key, Readable.from([]))).sizeBytes).toBe(0);
    expect((await buffer(await storage.open(key))).length).toBe(0);
  });

  it('shows nothing until the object is whole', async () => {
    const body = new PassThrough();
    const pending = storage.put(key, body);
    body.write(Buffer.alloc(100_000));
    while ((await files()).length === 0) await new Promise((resolve) => void setTimeout(resolve, 5));
    expect(await storage.stat(key)).toBeNull();
    expect(await keys()).toEqual([]);
    expect((await storageErrorOf(storage.open(key))).reason).toBe('not_found');
    body.end();
    await pending;
    expect(await keys()).toEqual([key]);
  });

  it('replaces an object in one move and keeps the old one where it fails', async () => {
    await storage.put(key, Readable.from([Buffer.from('old')]));
    await expect(storage.put(key, failingAfter([Buffer.from('ne')], new Error('cut')))).rejects.toThrow('cut');
    expect(await text(await storage.open(key))).toBe('old');
    await storage.put(key, Readable.from([Buffer.from('new')]));
    expect(await text(await storage.open(key))).toBe('new');
    expect(await files()).toHaveLength(1);
  });

  it("leaves nothing behind and passes on the stream's own error, wherever it breaks", async () => {
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' });
    for (const count of [0, 1, 2, 40]) {
      const chunks = Array.from({ length: count }, () => Buffer.alloc(65_536));
      await expect(storage.put(key, failingAfter(chunks, reset))).rejects.toBe(reset);
      expect(await files()).toEqual([]);
    }
  });

  it('survives a stream that fails before it is read', async () => {
    const body = new PassThrough();
    const pending = storage.put(key, body);
    body.destroy(new Error('gone at once'));
    await expect(pending).rejects.toThrow('gone at once');
    const dead = new PassThrough();
    dead.destroy();
    await expect(storage.put(key, dead)).rejects.toThrow('Premature close');
    expect(await files()).toEqual([]);
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

  it('keeps two writers of one key apart: one of the two wins as a whole', async () => {
    const one = Buffer.alloc(2_000_000, 1);
    const two = Buffer.alloc(2_000_000, 2);
    await Promise.all([storage.put(key, Readable.from([one])), storage.put(key, Readable.from([two]))]);
    const bytes = await buffer(await storage.open(key));
    expect(bytes.equals(one) || bytes.equals(two)).toBe(true);
    expect(await files()).toHaveLength(1);
  });
});

describe('keys', () => {
  const bad = [
    '',
    '/',
    '..',
    '../x',
    'a/../b',
    'a//b',
    '/etc/passwd',
    'a/b.wav',
    'a\\b',
    'a\0b',
    'é',
    'a/b/c/d/e',
    'a/',
  ];
  it.each([...bad, 'x'.repeat(201)])('%j never becomes a path', async (key) => {
    await expect((async () => storage.put(key, Readable.from([Buffer.from('x')])))()).rejects.toThrow(TypeError);
    await expect((async () => storage.open(key))()).rejects.toThrow(TypeError);
    await expect((async () => storage.remove(key))()).rejects.toThrow(TypeError);
    await expect((async () => storage.stat(key))()).rejects.toThrow(TypeError);
    expect(await files()).toEqual([]);
  });

  it('may be 200 characters long', async () => {
    const long = `${'x'.repeat(99)}/${'y'.repeat(100)}`;
    await storage.put(long, Readable.from([Buffer.from('x')]));
    expect(await keys()).toEqual([long]);
  });
});

describe('open', () => {
  it.each([
    [{}, '0123456789'],
    [{ start: 0, end: 0 }, '0'],
    [{ start: 3 }, '3456789'],
    [{ start: 3, end: 5 }, '345'],
    [{ end: 4 }, '01234'],
    [{ start: 9, end: 9 }, '9'],
  ])('reads the range %j', async (range, expected) => {
    await storage.put(key, Readable.from([Buffer.from('0123456789')]));
    expect(await text(await storage.open(key, range))).toBe(expected);
  });

  it('tells of a missing object before a byte is read', async () => {
    expect((await storageErrorOf(storage.open(key))).reason).toBe('not_found');
  });

  it('goes on reading an object that is removed meanwhile', async () => {
    const bytes = randomBytes(1_000_000);
    await storage.put(key, Readable.from([bytes]));
    const stream = await storage.open(key);
    await storage.remove(key);
    expect((await buffer(stream)).equals(bytes)).toBe(true);
  });
});

describe('read', () => {
  it('gives exactly the range, in memory of its own', async () => {
    const bytes = randomBytes(1_000_000);
    await storage.put(key, Readable.from([bytes]));
    const range = { start: 3, end: 700_000 };
    const [first, second] = await Promise.all([storage.read(key, range), storage.read(key, range)]);
    expect(first.equals(bytes.subarray(3, 700_001))).toBe(true);
    expect(first.buffer).not.toBe(second.buffer);
    expect(first.buffer.byteLength).toBe(first.length);
  });

  it('tells of a missing object, and of one that ends too soon', async () => {
    expect((await storageErrorOf(storage.read(key, { start: 0, end: 0 }))).reason).toBe('not_found');
    await storage.put(key, Readable.from([Buffer.from('0123456789')]));
    expect((await storageErrorOf(storage.read(key, { start: 5, end: 10 }))).reason).toBe('unavailable');
  });
});

describe('remove', () => {
  it('removes an object, and does not mind that there is none', async () => {
    await storage.put(key, Readable.from([Buffer.from('x')]));
    await storage.remove(key);
    await storage.remove(key);
    expect(await storage.stat(key)).toBeNull();
    expect(await files()).toEqual([]);
  });

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

  it('finds nothing in a storage that was never used', async () => {
    expect(await storage.removeIncomplete(new Date())).toBe(0);
  });
});

describe('list', () => {
  it('yields whole objects below a prefix', async () => {
    for (const key of ['org_1/rec_1', 'org_1/rec_2', 'org_12/rec_3', 'loose']) {
      await storage.put(key, Readable.from([Buffer.from(key)]));
    }
    expect(await keys()).toEqual(['loose', 'org_1/rec_1', 'org_1/rec_2', 'org_12/rec_3']);
    expect(await keys('org_1/')).toEqual(['org_1/rec_1', 'org_1/rec_2']);
    expect(await keys('org_9/')).toEqual([]);
    for await (const object of storage.list('org_12/')) {
      expect(object).toMatchObject({ key: 'org_12/rec_3', sizeBytes: 12 });
      expect(object.modifiedAt).toBeInstanceOf(Date);
    }
  });

  it('is empty before the first object', async () => {
    expect(await keys()).toEqual([]);
  });
});

describe('withLocalFile and check', () => {
  it('lends a file, or tells that there is none', async () => {
    await storage.put(key, Readable.from([Buffer.from('content')]));
    expect(await storage.withLocalFile(key, (path) => readFile(path, 'utf8'))).toBe('content');
    expect((await storageErrorOf(storage.withLocalFile('org_1/none', async () => 1))).reason).toBe('not_found');
  });

  it("passes on the borrower's own errors", async () => {
    await storage.put(key, Readable.from([Buffer.from('content')]));
    const missing = Object.assign(new Error('no such program'), { code: 'ENOENT', syscall: 'spawn' });
    const failing = storage.withLocalFile(key, () => Promise.reject(missing));
    await expect(failing).rejects.toBe(missing);
  });

  it('finds a storage that can be written fine, again and again, and leaves nothing', async () => {
    await storage.check();
    await storage.check();
    expect(await files()).toEqual([]);
  });
});
