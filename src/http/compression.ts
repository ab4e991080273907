import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import { pipeline } from 'node:stream';
import fp from 'fastify-plugin';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { PiecedBody } from './pieced-body.ts';
import { vary } from './response-headers.ts';

const compressedMin = 1024;
/** The default of brotli is meant for files that are compressed once. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);
const compress = {
  br: (bytes: Buffer) => compressBrotli(bytes, brotli),
  gzip: (bytes: Buffer) => compressGzip(bytes),
};

export const codings = ['br', 'gzip'] as const;
export type Coding = (typeof codings)[number];

/**
 * Compresses JSON of 1 KB and more in a thread pool of Node's. Streams are sent as they are, but for long answers in
 * pieces. A coded answer has an `ETag` of its own (RFC 9110, section 8.8.3.3): that of its content, and the coding.
 */
export const compression = fp(async function compression(app: FastifyInstance) {
  app.addHook('onSend', (req, reply, payload, done) => {
    if (!isCoded(reply, payload)) return done();
    vary(reply, 'Accept-Encoding');
    const coding = codingFor(req.headers['accept-encoding']);
    if (!coding) return done();
    reply.header('Content-Encoding', coding).removeHeader('Content-Length');
    const etag = reply.getHeader('ETag');
    if (typeof etag === 'string') reply.header('ETag', `${etag.slice(0, -1)}-${coding}"`);
    if (!(payload instanceof PiecedBody)) return compress[coding](Buffer.from(payload));
    // A client that goes away ends both.
    done(
      null,
      pipeline(payload, coding === 'br' ? createBrotliCompress(brotli) : createGzip(), () => {}),
    );
  });
});

/** Whether an answer comes in the coding that the client prefers: its `Vary` says so, also where it is 304. */
export function isCoded(reply: FastifyReply, payload: unknown): payload is string | Buffer | PiecedBody {
  return isLong(payload) && isCompressible(reply);
}

function isCompressible(reply: FastifyReply): boolean {
  const isJson = String(reply.getHeader('Content-Type') ?? '').startsWith('application/json');
  return isJson && !reply.hasHeader('Content-Encoding');
}

function isLong(payload: unknown): payload is string | Buffer | PiecedBody {
  if (payload instanceof PiecedBody) return true;
  return (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length >= compressedMin;
}

/** What the client prefers of what there is; undefined for bytes as they are (RFC 9110, section 12.5.3). */
export function codingFor(header: string | string[] | undefined): Coding | undefined {
  if (header === undefined) return undefined;
  const weights = new Map<string, number>();
  for (const part of String(header).split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2) ?? '1';
    weights.set(name, Number(weight));
  }
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  const plain = weights.get('identity') ?? 0;
  const [best] = codings.filter((name) => weightOf(name) > 0).toSorted((a, b) => weightOf(b) - weightOf(a));
  return best !== undefined && weightOf(best) >= plain ? best : undefined;
}
