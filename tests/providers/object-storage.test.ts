import { createHash, randomBytes } from 'node:crypto';
import { access, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ObjectStorage, StorageError } from '../../src/providers/object-storage/interface.ts';
import { createLocalStorage } from '../../src/providers/object-storage/local.ts';
import { createS3Storage } from '../../src/providers/object-storage/s3.ts';
import { parseStorageUrl } from '../../src/lib/storage-url.ts';
import { startS3Server } from '../support/s3-server.ts';

type Kind = {
  name: string;
  open(directory: string): Promise<{ storage: ObjectStorage; kept(): Promise<number>; close(): Promise<void> }>;
};

/** `kept`: whatever lies in the storage, whole or not, temporary files included. */
const kinds: Kind[] = [
  {
    name: 'files',
    async open(directory) {
      const kept = async () => countFiles(directory);
      return { storage: createLocalStorage({ directory: join(directory, 'objects') }), kept, async close() {} };
    },
  },
  {
    name: 'S3',
    async open(directory) {
      const server = await startS3Server();
      const storage = createS3Storage({
        address: parseStorageUrl(server.url),
        credentials: server.keys,
        tempDir: join(directory, 'work'),
      });
      const kept = async () => {
        const objects = [...server.objects.keys()].filter((key) => !key.includes('/.'));
        return objects.length + server.uploads.size + (await countFiles(directory));
      };
      return { storage, kept, close: () => server.close() };
    },
  },
];

async function countFiles(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
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

const key = 'org_1/rec_1';

describe.each(kinds)('an object storage in $name', ({ open }) => {
  let directory: string;
  let storage: ObjectStorage;
  let kept: () => Promise<number>;
  let close: () => Promise<void>;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'objects-'));
    ({ storage, kept, close } = await open(directory));
  });

  afterEach(async () => {
    await close();
    await rm(directory, { recursive: true });
  });

  async function keys(prefix?: string): Promise<string[]> {
    const found: string[] = [];
    for await (const { key } of storage.list(prefix)) found.push(key);
    return found.sort();
  }

  it('stores all bytes and tells their number and hash', async () => {
    const bytes = randomBytes(12_000_000);
    const stored = await storage.put(key, Readable.from([bytes.subarray(0, 1_000_001), bytes.subarray(1_000_001)]));
    expect(stored).toEqual({ sizeBytes: 12_000_000, sha256: createHash('sha256').update(bytes).digest('hex') });
    expect((await buffer(await storage.open(key))).equals(bytes)).toBe(true);
    expect(await storage.stat(key)).toMatchObject({ key, sizeBytes: 12_000_000 });
    expect(await kept()).toBe(1);
  });

  it('stores an object without bytes', async () => {
    expect((await storage.put(key, Readable.from([]))).sizeBytes).toBe(0);
    expect((await buffer(await storage.open(key))).length).toBe(0);
    expect(await storage.stat(key)).toMatchObject({ sizeBytes: 0 });
  });

  it('takes no memory away from whoever still uses it', async () => {
    const chunk = Buffer.alloc(100_000, 'kept');
    await storage.put(key, Readable.from([chunk]));
    expect(chunk.length).toBe(100_000);
  });

  it('shows nothing until the object is whole', async () => {
    const body = new PassThrough();
    const pending = storage.put(key, body);
    body.write(Buffer.alloc(100_000));
    await new Promise((resolve) => void setTimeout(resolve, 30));
    expect(await storage.stat(key)).toBeNull();
    expect(await keys()).toEqual([]);
    expect((await storageErrorOf(storage.open(key))).reason).toBe('not_found');
    body.end();
    await pending;
    expect(await keys()).toEqual([key]);
  });

  it('replaces an object at once and keeps the old one where it fails', async () => {
    await storage.put(key, Readable.from([Buffer.from('old')]));
    await expect(storage.put(key, failingAfter([Buffer.from('ne')], new Error('cut')))).rejects.toThrow('cut');
    expect(await text(await storage.open(key))).toBe('old');
    await storage.put(key, Readable.from([Buffer.from('new')]));
    expect(await text(await storage.open(key))).toBe('new');
    expect(await kept()).toBe(1);
  });

  it("leaves nothing behind and passes on the stream's own error, wherever it breaks", async () => {
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' });
    for (const count of [0, 1, 2, 90, 200]) {
      const chunks = Array.from({ length: count }, () => Buffer.alloc(65_536));
      await expect(storage.put(key, failingAfter(chunks, reset))).rejects.toBe(reset);
      expect(await kept()).toBe(0);
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
    expect(await kept()).toBe(0);
  });

  it('keeps two writers of one key apart: one of the two wins as a whole', async () => {
    const one = Buffer.alloc(2_000_000, 1);
    const two = Buffer.alloc(2_000_000, 2);
    await Promise.all([storage.put(key, Readable.from([one])), storage.put(key, Readable.from([two]))]);
    const bytes = await buffer(await storage.open(key));
    expect(bytes.equals(one) || bytes.equals(two)).toBe(true);
    expect(await kept()).toBe(1);
  });

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
  it.each([...bad, 'x'.repeat(201)])('refuses the key %j', async (key) => {
    await expect((async () => storage.put(key, Readable.from([Buffer.from('x')])))()).rejects.toThrow(TypeError);
    await expect((async () => storage.open(key))()).rejects.toThrow(TypeError);
    await expect((async () => storage.remove(key))()).rejects.toThrow(TypeError);
    await expect((async () => storage.stat(key))()).rejects.toThrow(TypeError);
    expect(await kept()).toBe(0);
  });

  it('takes keys of 200 characters', async () => {
    const long = `${'x'.repeat(99)}/${'y'.repeat(100)}`;
    await storage.put(long, Readable.from([Buffer.from('x')]));
    expect(await keys()).toEqual([long]);
  });

  it.each([
    [{}, '0123456789'],
    [{ start: 0, end: 0 }, '0'],
    [{ start: 3 }, '3456789'],
    [{ start: 3, end: 5 }, '345'],
    [{ end: 4 }, '01234'],
    [{ start: 9, end: 9 }, '9'],
  ])('opens the range %j', async (range, expected) => {
    await storage.put(key, Readable.from([Buffer.from('0123456789')]));
    expect(await text(await storage.open(key, range))).toBe(expected);
  });

  it('tells of a missing object before a byte is read', async () => {
    expect((await storageErrorOf(storage.open(key))).reason).toBe('not_found');
  });

  it('reads exactly a range, in memory of its own', async () => {
    const bytes = randomBytes(1_000_000);
    await storage.put(key, Readable.from([bytes]));
    const range = { start: 3, end: 700_000 };
    const [first, second] = await Promise.all([storage.read(key, range), storage.read(key, range)]);
    expect(first.equals(bytes.subarray(3, 700_001))).toBe(true);
    expect(first.buffer).not.toBe(second.buffer);
    expect(first.buffer.byteLength).toBe(first.length);
  });

  it('tells of a range that cannot be read: no object, or one that ends too soon', async () => {
    expect((await storageErrorOf(storage.read(key, { start: 0, end: 0 }))).reason).toBe('not_found');
    await storage.put(key, Readable.from([Buffer.from('0123456789')]));
    expect((await storageErrorOf(storage.read(key, { start: 5, end: 10 }))).reason).toBe('unavailable');
    expect((await storageErrorOf(storage.read(key, { start: 10, end: 12 }))).reason).toBe('unavailable');
  });

  it('removes an object, and does not mind that there is none', async () => {
    await storage.put(key, Readable.from([Buffer.from('x')]));
    await storage.remove(key);
    await storage.remove(key);
    expect(await storage.stat(key)).toBeNull();
    expect(await kept()).toBe(0);
  });

  it('lists whole objects below a prefix, however many there are', async () => {
    for (const key of ['org_1/rec_1', 'org_1/rec_2', 'org_12/rec_3', 'loose', 'org_1/rec_4', 'org_1/rec_5']) {
      await storage.put(key, Readable.from([Buffer.from(key)]));
    }
    expect(await keys()).toEqual(['loose', 'org_1/rec_1', 'org_1/rec_2', 'org_1/rec_4', 'org_1/rec_5', 'org_12/rec_3']);
    expect(await keys('org_1/')).toEqual(['org_1/rec_1', 'org_1/rec_2', 'org_1/rec_4', 'org_1/rec_5']);
    expect(await keys('org_9/')).toEqual([]);
    for await (const object of storage.list('org_12/')) {
      expect(object).toMatchObject({ key: 'org_12/rec_3', sizeBytes: 12 });
      expect(object.modifiedAt).toBeInstanceOf(Date);
    }
  });

  it('is empty before the first object, and has nothing incomplete', async () => {
    expect(await keys()).toEqual([]);
    expect(await storage.removeIncomplete(new Date())).toBe(0);
  });

  it('lends a file as long as it is used, or tells that there is none', async () => {
    await storage.put(key, Readable.from([Buffer.from('content')]));
    expect(await storage.withLocalFile(key, (path) => readFile(path, 'utf8'))).toBe('content');
    expect((await storageErrorOf(storage.withLocalFile('org_1/none', async () => 1))).reason).toBe('not_found');
    expect(await kept()).toBe(1);
  });

  it("passes on the borrower's own errors, and leaves no file of it", async () => {
    await storage.put(key, Readable.from([Buffer.from('content')]));
    const missing = Object.assign(new Error('no such program'), { code: 'ENOENT', syscall: 'spawn' });
    const failing = storage.withLocalFile(key, async (path) => {
      await access(path);
      throw missing;
    });
    await expect(failing).rejects.toBe(missing);
    expect(await kept()).toBe(1);
  });

  it('finds itself fine while it can be written, again and again, and leaves nothing', async () => {
    await storage.check();
    await storage.check();
    expect(await kept()).toBe(0);
    expect(await keys()).toEqual([]);
  });
});
