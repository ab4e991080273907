import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { SafeFetchError } from './safe-fetch-error.ts';

type EncodedBody = { headers: Record<string, string | undefined>; body: Readable };

type BodyRules = {
  /** Limit after decoding, so a compression bomb is cut off at the same size as any other body. */
  sizeBytesMax: number;
  /** Called with each chunk as it arrives, before decoding, and at the end: from then on, time spent is ours. */
  onArrival: () => void;
  /** Called whenever we wait for the source. */
  onWait: () => void;
  /** Called for failures of the source only, so a failing reader is never mistaken for a failing network. */
  onFailure: (err: unknown) => void;
};

/** Reads a response's body, decoded by its `Content-Encoding`. Throws SafeFetchError or what the source throws. */
export async function* readBody(response: EncodedBody, rules: BodyRules): AsyncGenerator<Buffer> {
  const { sizeBytesMax, onFailure } = rules;
  let sizeBytes = 0;
  const tooLarge = () => new SafeFetchError('too_large', `The body is larger than ${sizeBytesMax} bytes.`);
  try {
    if (Number(response.headers['content-length'] ?? 0) > sizeBytesMax) throw tooLarge();
    for await (const chunk of decode(response, rules)) {
      sizeBytes += chunk.length;
      if (sizeBytes > sizeBytesMax) throw tooLarge();
      yield chunk;
    }
  } catch (err) {
    onFailure(err);
    throw err;
  }
}

function decode({ headers, body }: EncodedBody, rules: BodyRules): AsyncIterable<Buffer> {
  const decoder = createDecoder((headers['content-encoding'] ?? '').trim().toLowerCase());
  const raw = announceEach(body, rules);
  // The error reaches the reader of the decoder; pipeline only needs a callback to exist.
  return decoder ? pipeline(raw, decoder, () => {}) : raw;
}

async function* announceEach(body: AsyncIterable<Buffer>, { onArrival, onWait }: BodyRules): AsyncGenerator<Buffer> {
  onWait();
  for await (const chunk of body) {
    onArrival();
    yield chunk;
    onWait();
  }
  onArrival();
}

function createDecoder(encoding: string): ReturnType<typeof createGunzip> | undefined {
  switch (encoding) {
    case '':
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      throw new SafeFetchError('network', `The content encoding ${encoding} is not supported.`);
  }
}
