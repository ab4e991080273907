import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy';
import { AppError, validationError } from '../lib/errors.ts';

export type FormPart = { name: string; fileName: string | null; stream: Readable };

export type FormLimits = {
  /** Limit of the whole body, including boundaries and ignored parts. */
  bodySizeBytesMax: number;
  partsMax: number;
  /** A sender that sends less than this in one `rateWindowMs` is cut off. */
  windowBytesMin: number;
  rateWindowMs: number;
  totalTimeoutMs: number;
  /** How long a refused sender may continue before the connection is closed. */
  drainTimeoutMs: number;
};

const partHeadersMax = 20;
const partHeaderSizeBytesMax = 16 * 1024;

/**
 * Reads `multipart/form-data` (RFC 7578) part by part; read each stream before taking the next. Throws VALIDATION_ERROR
 * for a malformed, aborted or slow body, PAYLOAD_TOO_LARGE for a large one.
 */
export async function* readForm(req: IncomingMessage, limits: FormLimits): AsyncGenerator<FormPart> {
  if (Number(req.headers['content-length'] ?? 0) > limits.bodySizeBytesMax) throw tooLarge();
  const parser = createParser(req, limits.partsMax);
  const parts = new PassThrough({ objectMode: true });
  const streams = new Set<Readable>();
  const fail = (error: AppError) => {
    for (const stream of streams) stream.destroy(error);
    parts.destroy(error);
  };
  const stopWatching = watchBody(req, limits, fail);
  parser.on('file', (name: string | undefined, stream: BusboyFileStream, fileName: string | undefined) => {
    // An error on a stream that nobody reads yet must not crash the process; its reader still gets it.
    stream.on('error', () => {});
    streams.add(stream);
    stream.once('close', () => streams.delete(stream));
    parts.write({ name: name ?? '', fileName: fileName ?? null, stream } satisfies FormPart);
  });
  parser.on('partsLimit', () => fail(malformed(`it has more than ${limits.partsMax} parts`)));
  parser.on('error', (err: unknown) => fail(malformed(err instanceof Error ? err.message : String(err))));
  parser.on('finish', () => parts.end());
  req.pipe(parser);
  try {
    for await (const part of parts as AsyncIterable<FormPart>) yield part;
  } finally {
    stopWatching();
    // The rest of the body is discarded, so that a refused sender can read its answer.
    req.unpipe(parser);
    for (const stream of streams) stream.destroy();
    parser.destroy();
    req.resume();
  }
}

/**
 * Reads a part as text. Throws PAYLOAD_TOO_LARGE, or VALIDATION_ERROR if it is not valid UTF-8 (or UTF-16 with a byte
 * order mark).
 */
export async function readText({ name, stream }: FormPart, sizeBytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > sizeBytesMax) {
      throw new AppError('PAYLOAD_TOO_LARGE', `The part ${name} is larger than ${sizeBytesMax} bytes.`);
    }
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  const mark = bytes.toString('hex', 0, 2);
  const encoding = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw validationError(name, `The part ${name} is not valid ${encoding.toUpperCase()} text.`);
  }
}

/** All parts arrive as streams, even plain fields: the parser would silently truncate long ones. */
function createParser(req: IncomingMessage, partsMax: number) {
  const contentType = req.headers['content-type'] ?? '';
  if (!/^multipart\/form-data *(?:;|$)/i.test(contentType)) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the recording as multipart/form-data.');
  }
  try {
    return new Busboy({
      headers: req.headers as BusboyHeaders,
      isPartAFile: () => true,
      limits: { parts: partsMax, headerPairs: partHeadersMax, headerSize: partHeaderSizeBytesMax },
    });
  } catch (err) {
    throw malformed(err instanceof Error ? err.message : String(err));
  }
}

/** Counts the bytes, and aborts a body that is too large, too slow, takes too long or breaks off. */
function watchBody(req: IncomingMessage, limits: FormLimits, fail: (error: AppError) => void): () => void {
  let received = 0;
  let counted = 0;
  const isWhole = () => req.complete || req.readableEnded;
  const count = (chunk: Buffer) => {
    received += chunk.length;
    if (received > limits.bodySizeBytesMax) fail(tooLarge());
  };
  const checkRate = () => {
    if (!isWhole() && received - counted < limits.windowBytesMin) fail(malformed('it comes too slowly'));
    counted = received;
  };
  const breakOff = () => {
    if (!isWhole()) fail(malformed('it broke off'));
  };
  const rate = setInterval(checkRate, limits.rateWindowMs);
  const total = setTimeout(() => fail(malformed('it takes too long')), limits.totalTimeoutMs);
  req.on('data', count).once('close', breakOff).on('error', breakOff);
  return () => {
    clearInterval(rate);
    clearTimeout(total);
    req.off('data', count).off('close', breakOff);
  };
}

function tooLarge(): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', 'The upload is larger than a file of 500 MB and what belongs to it.');
}

function malformed(why: string): AppError {
  return validationError('body', `The upload cannot be read: ${why}.`);
}
