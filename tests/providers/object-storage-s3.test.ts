import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseStorageUrl } from '../../src/lib/storage-url.ts';
import type { ObjectStorage, StorageError } from '../../src/providers/object-storage/interface.ts';
import { createS3Storage } from '../../src/providers/object-storage/s3.ts';
import { startS3Server, type S3Operation, type S3Server } from '../support/s3-server.ts';

const MiB = 1024 * 1024;
const key = 'org_1/rec_1';
const unavailable = { name: 'StorageError', reason: 'unavailable' } satisfies Partial<StorageError>;

let directory: string;
let server: S3Server;
let storage: ObjectStorage;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'objects-'));
  server = await startS3Server();
  storage = open();
});

afterEach(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

function open(keys = server.keys): ObjectStorage {
  const address = parseStorageUrl(server.url);
  return createS3Storage({ address, credentials: keys, tempDir: directory, isPlaybackPresigned: true });
}

/** Chunks of 64 KiB, and how many bytes of them have been asked for. */
function chunks(sizeBytes: number): { body: Readable; readonly producedBytes: number } {
  const counted = { producedBytes: 0 };
  const body = Readable.from(
    (function* () {
      for (; counted.producedBytes < sizeBytes; counted.producedBytes += 65_536) yield Buffer.alloc(65_536, 7);
    })(),
  );
  return Object.assign(counted, { body });
}

async function counted(work: () => Promise<unknown>): Promise<Partial<Record<S3Operation, number>>> {
  const from = server.log.length;
  await work();
  const counts: Partial<Record<S3Operation, number>> = {};
  for (const operation of server.log.slice(from)) counts[operation] = (counts[operation] ?? 0) + 1;
  return counts;
}

describe('an upload to S3', () => {
  it('is one request for a usual recording, and parts for a large one', async () => {
    expect(await counted(() => storage.put(key, chunks(MiB).body))).toEqual({ PutObject: 1 });
    const parts = await counted(() => storage.put(key, chunks(12 * MiB).body));
    expect(parts).toEqual({ CreateMultipartUpload: 1, UploadPart: 3, CompleteMultipartUpload: 1 });
    expect([...server.objects.keys()]).toEqual([`calls/${key}`]);
    expect(server.uploads.size).toBe(0);
  });

  it('reads no further ahead than a few parts while the storage takes nothing', async () => {
    server.fail({ operation: 'UploadPart', how: 'hang', times: 9 });
    const source = chunks(100 * MiB);
    const pending = storage.put(key, source.body);
    pending.catch(() => {});
    await expect.poll(() => source.producedBytes).toBeGreaterThanOrEqual(10 * MiB);
    await new Promise((resolve) => void setTimeout(resolve, 400));
    expect(source.producedBytes).toBeLessThanOrEqual(16 * MiB);
    await server.close();
    await expect(pending).rejects.toMatchObject(unavailable);
    expect(source.body.destroyed).toBe(true);
    server = await startS3Server();
  });

  it.each(['slowDown', 'reset'] as const)('goes on after a storage that answers %s twice', async (how) => {
    for (const operation of ['CreateMultipartUpload', 'UploadPart', 'CompleteMultipartUpload'] as const) {
      server.fail({ operation, how, times: 1 });
    }
    expect((await storage.put(key, chunks(6 * MiB).body)).sizeBytes).toBe(6 * MiB);
    server.fail({ operation: 'PutObject', how, times: 2 });
    expect((await storage.put('org_1/rec_2', chunks(MiB).body)).sizeBytes).toBe(MiB);
    expect(server.uploads.size).toBe(0);
  });

  it('that fails for good leaves no part behind and ends the stream', async () => {
    server.fail({ operation: 'UploadPart', how: 'slowDown', times: 99 });
    const source = chunks(50 * MiB);
    await expect(storage.put(key, source.body)).rejects.toMatchObject(unavailable);
    expect(source.body.destroyed).toBe(true);
    expect(server.log).toContain('AbortMultipartUpload');
    expect([server.uploads.size, server.objects.size]).toEqual([0, 0]);
  });

  it('tells nothing of keys and hosts where they are wrong', async () => {
    const stranger = open({ accessKeyId: 'AKIASTRANGER', secretAccessKey: 'canary-secret' });
    const err = await stranger.put(key, chunks(10).body).catch((error: unknown) => error);
    expect(err).toMatchObject(unavailable);
    expect(String(err)).toBe('StorageError: The object storage cannot be used (AccessDenied).');
  });
});

describe('reading from S3', () => {
  it('goes on where a connection broke off', async () => {
    const bytes = randomBytes(3 * MiB);
    await storage.put(key, Readable.from([bytes]));
    server.fail({ operation: 'GetObject', how: 'cut', times: 2 });
    expect((await buffer(await storage.open(key))).equals(bytes)).toBe(true);
    server.fail({ operation: 'GetObject', how: 'cut', times: 2 });
    const range = { start: 1000, end: 2_000_000 };
    expect((await storage.read(key, range)).equals(bytes.subarray(1000, 2_000_001))).toBe(true);
    server.fail({ operation: 'GetObject', how: 'cut', times: 1 });
    expect((await buffer(await storage.open(key, { start: 5 }))).equals(bytes.subarray(5))).toBe(true);
  });

  it('gives up where it breaks off again and again', async () => {
    await storage.put(key, Readable.from([randomBytes(1000)]));
    server.fail({ operation: 'GetObject', how: 'reset', times: 99 });
    await expect(storage.open(key)).rejects.toMatchObject(unavailable);
  });

  it('never puts two versions of an object together', async () => {
    await storage.put(key, Readable.from([Buffer.alloc(MiB, 1)]));
    server.fail({ operation: 'GetObject', how: 'cut', times: 1 });
    const stream = await storage.open(key);
    await storage.put(key, Readable.from([Buffer.alloc(MiB, 2)]));
    await expect(buffer(stream)).rejects.toMatchObject(unavailable);
  });

  it('removes the file that it lent also where the download fails', async () => {
    await storage.put(key, Readable.from([randomBytes(1000)]));
    server.fail({ operation: 'GetObject', how: 'reset', times: 99 });
    await expect(storage.withLocalFile(key, async () => 1)).rejects.toMatchObject(unavailable);
    expect(await readdir(directory)).toEqual([]);
  });

  it('hands out addresses that work without credentials and say what the file is', async () => {
    await storage.put(key, Readable.from([Buffer.from('sound')]));
    const options = { contentType: 'audio/wav', contentDisposition: 'inline; filename="a.wav"', lifetimeSeconds: 300 };
    const url = (await storage.signedUrl?.(key, options)) ?? '';
    const response = await fetch(url, { headers: { Range: 'bytes=1-3' } });
    expect(response.status).toBe(206);
    expect(await response.text()).toBe('oun');
    expect(response.headers.get('content-type')).toBe('audio/wav');
    expect(response.headers.get('content-disposition')).toBe('inline; filename="a.wav"');
    expect(url).toContain('X-Amz-Expires=300');
    expect((await fetch(url.split('?', 1)[0] ?? '')).status).toBe(403);
  });
});

describe('what interrupted uploads left in S3', () => {
  function leave(name: string, ageMs: number): void {
    server.uploads.set(name, { key: `calls/${name}`, beganAt: new Date(Date.now() - ageMs), parts: new Map() });
  }

  it('goes when it is old enough, or with its object', async () => {
    leave('org_1/rec_1', 3_600_000);
    leave('org_1/rec_2', 1_000);
    leave('org_1/rec_12', 1_000);
    expect(await storage.removeIncomplete(new Date(Date.now() - 60_000))).toBe(1);
    await storage.remove('org_1/rec_1');
    await storage.remove('org_1/rec_2');
    expect([...server.uploads.keys()]).toEqual(['org_1/rec_12']);
  });

  it('is left to a storage that does not list it', async () => {
    server.fail({ operation: 'ListMultipartUploads', how: 'notImplemented', times: 9 });
    expect(await storage.removeIncomplete(new Date())).toBe(0);
    await storage.remove(key);
  });
});

describe('a check of S3', () => {
  it('writes once for many who ask', async () => {
    const many = () => Promise.all(Array.from({ length: 20 }, () => storage.check()));
    expect(await counted(many)).toEqual({ PutObject: 1 });
  });

  it('fails soon while the storage does not answer, and recovers with it', async () => {
    server.fail({ operation: 'PutObject', how: 'hang', times: 1 });
    const from = performance.now();
    await expect(storage.check()).rejects.toMatchObject(unavailable);
    expect(performance.now() - from).toBeLessThan(5_000);
    await storage.check();
  });
});

describe('STORAGE_URL', () => {
  it('names bucket, prefix and how to speak to it', async () => {
    expect(parseStorageUrl('s3://calls/a/b/?region=eu-central-1')).toEqual({
      bucket: 'calls',
      prefix: 'a/b/',
      region: 'eu-central-1',
      endpoint: undefined,
      publicEndpoint: undefined,
      forcePathStyle: false,
    });
    expect(parseStorageUrl('s3://calls?endpoint=http://storage:9000&forcePathStyle=true')).toMatchObject({
      prefix: '',
      endpoint: 'http://storage:9000',
      forcePathStyle: true,
    });
  });

  it.each([
    's3:///prefix',
    's3://Bad_Bucket',
    's3://key:secret@bucket',
    's3://bucket/a b',
    's3://bucket?endpoint=storage:9000',
    's3://bucket?forcePathStyle=perhaps',
    's3://bucket?regoin=x',
    'https://bucket.s3.amazonaws.com',
  ])('refuses %s', (url) => {
    expect(() => parseStorageUrl(url)).toThrow(/./);
  });
});
