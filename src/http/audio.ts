import { create as contentDisposition } from 'content-disposition';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../deps.ts';
import { getRecording, type PlayableRecording } from '../domain/recordings/service.ts';
import { AppError, notFound, validationError } from '../lib/errors.ts';
import { isId } from '../lib/ids.ts';
import { StorageError, type ObjectStorage } from '../providers/object-storage/interface.ts';
import { privateCacheControl, privateVary } from './caching.ts';
import { vary } from './response-headers.ts';
import { isUnchanged, rangeOf, type Range } from './byte-range.ts';
import { readQuery } from './query.ts';
import { restPrefix } from './endpoints.ts';
import { sendBytes, sendStream } from './send-stream.ts';

/** One stream holds this much: its read-ahead plus what is in flight. */
const rangeAtOnceBytesMax = 512 * 1024;

const bodyHeaders = ['ETag', 'Accept-Ranges', 'Content-Range', 'Content-Type', 'Content-Disposition'];

type AudioOptions = { services: Pick<Services, 'storage'> };

/** `GET` and `HEAD /records/:id/audio`: the uploaded recording or its muted copy, streamed from the storage. */
export async function audio(app: FastifyInstance, { services }: AudioOptions): Promise<void> {
  app.route<{ Params: { id: string } }>({
    // Fastify's own HEAD would read the whole stream and discard it.
    method: ['GET', 'HEAD'],
    url: `${restPrefix}/records/:id/audio`,
    onRequest: async (req) => void (await req.context.authorize('records:read')),
    handler: async (req, reply) => {
      const { id } = req.params;
      const recording = await req.context.acting('records:read', async (org) => {
        const redacted = readFlag(readQuery(req, ['redacted'])['redacted']);
        if (!isId('record', id)) throw notFound('Record');
        return getRecording(org, { id, redacted });
      });
      return sendRecording(reply, { req, services, recording });
    },
  });
}

type Playing = AudioOptions & { req: FastifyRequest; recording: PlayableRecording };

/** Answers `GET` and `HEAD` for a recording that the sender may hear, with ranges and conditions. */
export async function sendRecording(reply: FastifyReply, { req, services, recording }: Playing): Promise<FastifyReply> {
  const range = describe(reply, { req, recording });
  if (range === 'unchanged') return reply.code(304).send();
  if (req.method === 'GET' && services.storage.signedUrl) {
    return redirect(reply, await signedUrlOf(reply, services.storage.signedUrl, recording));
  }
  reply.header('Content-Length', range.end - range.start + 1);
  if (req.method === 'HEAD') return reply.send();
  await sendRange(reply, { services, key: recording.storageKey, range });
  return reply;
}

function readFlag(given: unknown): boolean | undefined {
  if (given === undefined) return undefined;
  if (given !== 'true' && given !== 'false') throw validationError('redacted', '`redacted` is true or false.');
  return given === 'true';
}

/**
 * Sets status and headers, and returns the bytes to send, or that the client has them already. Throws
 * RANGE_NOT_SATISFIABLE.
 */
function describe(
  reply: FastifyReply,
  { req, recording }: { req: FastifyRequest; recording: PlayableRecording },
): Range | 'unchanged' {
  const { sizeBytes, contentType, fileName, sha256 } = recording;
  const etag = `"${sha256}"`;
  reply.headers({
    ETag: etag,
    // The answer depends on the sender, so only their own cache may keep it.
    'Cache-Control': privateCacheControl,
    'Accept-Ranges': 'bytes',
  });
  vary(reply, privateVary);
  if (isUnchanged(req.headers['if-none-match'], etag)) return 'unchanged';
  // Ranges are defined for GET only (RFC 9110, section 14.2).
  const range = req.method === 'GET' ? rangeOf(req.headers, { sizeBytes, etag }) : undefined;
  if (range === 'unsatisfiable') {
    throw new AppError('RANGE_NOT_SATISFIABLE', `The recording has ${sizeBytes} bytes.`, {
      headers: { 'Content-Range': `bytes */${sizeBytes}` },
    });
  }
  reply.headers({
    'Content-Type': contentType,
    'Content-Disposition': dispositionOf(fileName),
  });
  if (!range) return { start: 0, end: sizeBytes - 1 };
  reply.code(206).header('Content-Range', `bytes ${range.start}-${range.end}/${sizeBytes}`);
  return range;
}

const signedForSeconds = 300;

function signedUrlOf(
  reply: FastifyReply,
  sign: NonNullable<ObjectStorage['signedUrl']>,
  { storageKey, contentType, fileName }: PlayableRecording,
): Promise<string> {
  const contentDisposition = dispositionOf(fileName);
  return readable(reply, sign(storageKey, { contentType, contentDisposition, lifetimeSeconds: signedForSeconds }));
}

/** Redirects to the storage, which handles ranges and conditions itself. The address is for this request alone. */
function redirect(reply: FastifyReply, url: string): FastifyReply {
  for (const name of bodyHeaders) reply.removeHeader(name);
  return reply
    .code(302)
    .headers({ Location: url, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
    .send();
}

function dispositionOf(fileName: string | null): string {
  return contentDisposition(fileName ?? 'recording', { type: 'inline' });
}

type RangeToSend = { services: AudioOptions['services']; key: string; range: Range };

async function sendRange(reply: FastifyReply, { services: { storage }, key, range }: RangeToSend): Promise<void> {
  if (range.end - range.start < rangeAtOnceBytesMax) sendBytes(reply, await readable(reply, storage.read(key, range)));
  else await sendStream(reply, await readable(reply, storage.open(key, range)));
}

async function readable<T>(reply: FastifyReply, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (err) {
    for (const name of bodyHeaders) reply.removeHeader(name);
    if (!(err instanceof StorageError)) throw err;
    throw new AppError('SERVICE_UNAVAILABLE', 'The recording cannot be read at the moment. Try again shortly.', {
      cause: err,
      headers: { 'Retry-After': '30' },
    });
  }
}
