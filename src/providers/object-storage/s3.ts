import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3ServiceException,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { withWorkFolder } from '../../lib/work-folder.ts';
import { incompleteUploads, type IncompleteUpload } from './s3-incomplete.ts';
import {
  assertKey,
  type ObjectBody,
  type ObjectStat,
  type ObjectStorage,
  type SignedUrlOptions,
  StorageError,
  type StoredObject,
} from './interface.ts';
import { createS3Client, type S3ClientOptions, toStorageError } from './s3-client.ts';
import { openRange, readRange, type S3Object } from './s3-read.ts';

export type S3StorageOptions = S3ClientOptions & {
  /** For objects that a program needs as local files. Created if missing. */
  tempDir: string;
  /** Whether players read from the storage itself, with addresses that are valid for a few minutes. */
  isPlaybackPresigned?: boolean;
};

/** The minimum of S3: an upload holds at most three parts in memory, however large it is. */
const partSizeBytes = 5 * 1024 * 1024;
const partsAtOnce = 2;
/** A check writes an object; more often than this costs more than it tells. */
const checkEveryMs = 10_000;
const checkTimeoutMs = 2_000;
/** Our keys never start with a dot. */
const checkName = '.earshot-check';

type Bucket = { client: S3Client; bucket: string; prefix: string };

/** Stores objects in a bucket of S3, or of anything with the same protocol. Any number of processes may share it. */
export function createS3Storage(options: S3StorageOptions): ObjectStorage {
  const { address, tempDir, isPlaybackPresigned = false } = options;
  const client = createS3Client(options);
  const place: Bucket = { client, bucket: address.bucket, prefix: address.prefix };
  const objectOf = (key: string): S3Object => {
    assertKey(key);
    return { client, bucket: address.bucket, key: address.prefix + key };
  };
  return {
    put: async (key, body) => put(objectOf(key), body),
    open: async (key, range) => openRange(objectOf(key), range),
    read: async (key, range) => readRange(objectOf(key), range),
    stat: async (key) => statObject(objectOf(key), key),
    remove: async (key) => removeObject(objectOf(key)),
    withLocalFile: async (key, use) => withLocalFile(objectOf(key), { tempDir, use }),
    list: (prefix = '') => listObjects(place, prefix),
    removeIncomplete: (before) => guarded(() => removeIncomplete(place, before)),
    check: createCheck(place),
    ...(isPlaybackPresigned && { signedUrl: createSigner(options) }),
  };
}

async function put(object: S3Object, body: ObjectBody): Promise<StoredObject> {
  const stream = body instanceof Readable ? body : undefined;
  stream?.on('error', () => {});
  const watch = watchBody(body);
  const { client, bucket: Bucket, key: Key } = object;
  const source = Readable.from(watch.chunks);
  try {
    const params = { Bucket, Key, Body: source };
    await new Upload({ client, params, partSize: partSizeBytes, queueSize: partsAtOnce }).done();
    return watch.stored();
  } catch (err) {
    source.destroy();
    stream?.destroy();
    throw watch.failure ? watch.failure.err : toStorageError(err);
  }
}

type Watch = { chunks: AsyncGenerator<Uint8Array>; failure: { err: unknown } | undefined; stored(): StoredObject };

/** Hashes the passing bytes, and keeps an error of the body itself, since its reader may throw a different one. */
function watchBody(body: ObjectBody): Watch {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const watch: Watch = {
    chunks: read(),
    failure: undefined,
    stored: () => ({ sizeBytes, sha256: hash.digest('hex') }),
  };
  async function* read(): AsyncGenerator<Uint8Array> {
    let isElsewhere = false;
    try {
      for await (const chunk of body) {
        hash.update(chunk);
        sizeBytes += chunk.length;
        isElsewhere = true;
        yield chunk;
        isElsewhere = false;
      }
    } catch (err) {
      if (!isElsewhere) watch.failure = { err };
      throw err;
    }
  }
  return watch;
}

async function statObject({ client, bucket, key }: S3Object, name: string): Promise<ObjectStat | null> {
  try {
    const found = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
    return { key: name, sizeBytes: found.ContentLength ?? 0, modifiedAt: found.LastModified ?? new Date(0) };
  } catch (err) {
    const error = toStorageError(err);
    if (error.reason === 'not_found') return null;
    throw error;
  }
}

async function removeObject({ client, bucket, key }: S3Object): Promise<void> {
  await guarded(async () => {
    await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
    for await (const upload of incompleteUploads({ client, bucket, prefix: key })) {
      if (upload.key === key) await abort({ client, bucket }, upload);
    }
  });
}

async function removeIncomplete({ client, bucket, prefix }: Bucket, before: Date): Promise<number> {
  let removed = 0;
  for await (const upload of incompleteUploads({ client, bucket, prefix })) {
    if (upload.beganAt >= before) continue;
    await abort({ client, bucket }, upload);
    removed += 1;
  }
  return removed;
}

async function abort(
  { client, bucket }: Pick<Bucket, 'client' | 'bucket'>,
  { key, uploadId }: IncompleteUpload,
): Promise<void> {
  try {
    await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: uploadId }));
  } catch (err) {
    // Somebody else has ended it meanwhile.
    if (!(err instanceof S3ServiceException) || err.name !== 'NoSuchUpload') throw err;
  }
}

async function* listObjects({ client, bucket, prefix }: Bucket, below: string): AsyncGenerator<ObjectStat> {
  try {
    for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix + below })) {
      for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? []) {
        const key = Key.slice(prefix.length);
        if (!key.startsWith('.')) yield { key, sizeBytes: Size, modifiedAt: LastModified };
      }
    }
  } catch (err) {
    throw toStorageError(err);
  }
}

type Lending<T> = { tempDir: string; use: (file: string) => Promise<T> };

async function withLocalFile<T>(object: S3Object, { tempDir, use }: Lending<T>): Promise<T> {
  return withWorkFolder({ root: tempDir, name: 'object' }, async (folder) => {
    const file = path.join(folder, 'object');
    await guarded(async () => pipeline(await openRange(object), createWriteStream(file, { flags: 'wx', mode: 0o600 })));
    return use(file);
  });
}

/** Writes, since a read-only storage is of no use. Concurrent callers share one check. */
function createCheck({ client, bucket, prefix }: Bucket): () => Promise<void> {
  let latest: { at: number; result: Promise<void> } | undefined;
  const write = () =>
    guarded(async () => {
      const request = new PutObjectCommand({ Bucket: bucket, Key: prefix + checkName, Body: 'ok' });
      await client.send(request, { abortSignal: AbortSignal.timeout(checkTimeoutMs) });
    });
  return async () => {
    if (!latest || Date.now() - latest.at > checkEveryMs) {
      const check = { at: Date.now(), result: write() };
      // After a failure, the next caller starts a new check.
      check.result.catch(() => (latest = latest === check ? undefined : latest));
      latest = check;
    }
    await latest.result;
  };
}

function createSigner(options: S3ClientOptions): NonNullable<ObjectStorage['signedUrl']> {
  const { address } = options;
  const client = createS3Client(options, address.publicEndpoint ?? address.endpoint);
  return async (key: string, { contentType, contentDisposition, lifetimeSeconds }: SignedUrlOptions) => {
    assertKey(key);
    const request = new GetObjectCommand({
      Bucket: address.bucket,
      Key: address.prefix + key,
      ResponseContentType: contentType,
      ResponseContentDisposition: contentDisposition,
    });
    return guarded(() => getSignedUrl(client, request, { expiresIn: lifetimeSeconds }));
  };
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (err) {
    throw err instanceof StorageError ? err : toStorageError(err);
  }
}
