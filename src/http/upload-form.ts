import type { IncomingMessage } from 'node:http';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { AppError, validationError } from '../lib/errors.ts';

export type FormPart = { name: string; fileName: string | null; stream: AsyncIterable<Buffer> };
type FileStream = MultipartFile['file'];

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
export async function* readForm(req: FastifyRequest, limits: FormLimits): AsyncGenerator<FormPart> {
  const { raw } = req;
  if (Number(raw.headers['content-length'] ?? 0) > limits.bodySizeBytesMax) throw tooLarge();
  if (!req.isMultipart()) throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the recording as multipart/form-data.');
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => {});
  let file: FileStream | undefined;
  let failure: AppError | undefined;
  const fail = (error: AppError): void => {
    failure ??= error;
    file?.destroy(error);
    reject(error);
  };
  const stopWatching = watchBody(raw, limits, fail);
  const parts = req.files(parsing(limits, fail));
  try {
    for (;;) {
      const { value: part } = await Promise.race([parts.next(), failed]);
      if (failure) throw failure;
      if (!part) return;
      const stream = part.file;
      file = stream;
      // Either may be missing, whatever its type says.
      const { fieldname: name = '', filename: fileName = null } = part as { fieldname?: string; filename?: string };
      yield { name, fileName, stream: chunksOf(stream) };
    }
  } catch (err) {
    throw readable(err);
  } finally {
    stopWatching();
    // The rest of the body is discarded, so that a refused sender can read its answer.
    raw.unpipe();
    file?.destroy();
    raw.resume();
  }
}

/**
 * All parts arrive as streams, even plain fields: the parser would silently truncate long ones. Too many parts and the
 * names of prototypes are refused here, since the parser reports them only after the last part.
 */
function parsing({ partsMax }: FormLimits, fail: (error: AppError) => void) {
  let count = 0;
  return {
    isPartAFile(name?: string): true {
      count += 1;
      if (count > partsMax) fail(malformed(`it has more than ${partsMax} parts`));
      if (name !== undefined && name in Object.prototype) fail(validationError(name, `Unknown part \`${name}\`.`));
      return true;
    },
    limits: {
      parts: partsMax + 1,
      headerPairs: partHeadersMax,
      headerSize: partHeaderSizeBytesMax,
      fileSize: Infinity,
    },
    throwFileSizeLimit: false,
  };
}

async function* chunksOf(file: FileStream): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of file as AsyncIterable<Buffer>) yield chunk;
  } catch (err) {
    throw readable(err);
  }
}

/** Whatever the parser reports is a fault of the body. */
function readable(err: unknown): unknown {
  return err instanceof AppError || !(err instanceof Error) ? err : malformed(err.message);
}

/**
 * Reads a part as text. Throws PAYLOAD_TOO_LARGE, or VALIDATION_ERROR if it is not valid UTF-8 (or UTF-16 with a byte
 * order mark).
 */
export async function readText({ name, stream }: FormPart, sizeBytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of stream) {
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
    if (!isWhole() && received - counted < limits.windowBytesMin) fail(malformed('it arrives too slowly'));
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
  return new AppError('PAYLOAD_TOO_LARGE', 'The upload is larger than a 500 MB file with its other parts may be.');
}

function malformed(why: string): AppError {
  return validationError('body', `The upload cannot be read: ${why}.`);
}
