import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { StorageError, type ByteRange } from './interface.ts';
import { toStorageError } from './s3-client.ts';

export type S3Object = { client: S3Client; bucket: string; key: string };

type Part = { body: Readable; etag: string | undefined; sizeBytes: number };

const resumesMax = 3;
const resumeDelayMs = 100;

/**
 * The bytes of an object or of a range of it. A broken connection is resumed where it broke, with the same version of
 * the object. Throws StorageError, at once if there is no such object.
 */
export async function openRange(object: S3Object, { start = 0, end }: ByteRange = {}): Promise<Readable> {
  const first = await getPart(object, { start, end });
  return Readable.from(resumed(object, { first, start }), { objectMode: false, highWaterMark: 256 * 1024 });
}

/** The bytes of the range, in their own memory. Throws StorageError, also if the object is shorter. */
export async function readRange(object: S3Object, { start, end }: Required<ByteRange>): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(end - start + 1);
  const first = await getPart(object, { start, end });
  let filled = 0;
  if (first.sizeBytes === bytes.length) {
    for await (const chunk of resumed(object, { first, start })) filled += chunk.copy(bytes, filled);
  } else {
    first.body.destroy();
  }
  if (filled < bytes.length) throw new StorageError('unavailable', 'The object is shorter than it should be.');
  return bytes;
}

async function* resumed(
  object: S3Object,
  { first, start }: { first: Part; start: number },
): AsyncGenerator<Buffer, void, undefined> {
  const last = start + first.sizeBytes - 1;
  let { body } = first;
  let position = start;
  for (let failures = 0; ;) {
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        position += chunk.length;
        failures = 0;
        yield chunk;
      }
      if (position > last) return;
      throw new Error('The storage sent less than it had announced.');
    } catch (err) {
      failures += 1;
      if (failures > resumesMax) throw toStorageError(err);
      await sleep(resumeDelayMs * failures);
      body = (await getPart(object, { start: position, end: last, etag: first.etag })).body;
    }
  }
}

async function getPart(
  { client, bucket, key }: S3Object,
  { start, end, etag }: { start: number; end: number | undefined; etag?: string | undefined },
): Promise<Part> {
  const isWhole = start === 0 && end === undefined;
  try {
    const answer = await client.send(
      new GetObjectCommand({
        Bucket: bucket,
        Key: key,
        ...(isWhole ? {} : { Range: `bytes=${start}-${end ?? ''}` }),
        ...(etag === undefined ? {} : { IfMatch: etag }),
      }),
    );
    const { Body: body, ETag, ContentLength: sizeBytes } = answer;
    if (!(body instanceof Readable) || sizeBytes === undefined) throw new Error('The storage answered without a body.');
    // It is read later: until then it keeps an error instead of crashing the process.
    body.on('error', () => {});
    return { body, etag: ETag, sizeBytes };
  } catch (err) {
    throw toStorageError(err);
  }
}
