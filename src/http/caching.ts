import { hash, subtle } from 'node:crypto';
import fp from 'fastify-plugin';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isUnchanged } from './byte-range.ts';
import { PiecedBody } from './pieced-body.ts';
import { vary } from './response-headers.ts';

/** What an answer to a reading depends on, besides its address. */
export const privateVary = 'Authorization, Cookie, X-Selected-Org-ID';
export const privateCacheControl = 'private, no-cache';

const digestLength = 27;
const longMin = 100_000;

/**
 * A reading under `/api` carries an `ETag` over its bytes, and is 304 for whoever has them (RFC 9110, section 13.1.2).
 * It is read all the same: what is saved is the sending. Everything else there is not to be kept by anybody.
 */
export const caching = fp(async function caching(app: FastifyInstance) {
  app.addHook('onSend', (req, reply, payload, done) => {
    if (!req.url.startsWith('/api/') || reply.hasHeader('Cache-Control')) return done(null, payload);
    if (isReading(req, reply) && payload instanceof PiecedBody) return keepPieced(req, reply, payload);
    if (!isReading(req, reply) || typeof payload !== 'string') {
      reply.header('Cache-Control', 'no-store');
      return done(null, payload);
    }
    if (payload.length >= longMin) return keepLong(req, reply, payload);
    done(null, keptBy(req, reply, { payload, digest: hash('sha256', payload, 'base64url') }));
  });
});

/** Megabytes are encoded once, and hashed in a thread of Node's own. */
async function keepLong(req: FastifyRequest, reply: FastifyReply, text: string): Promise<Buffer | null> {
  const payload = Buffer.from(text);
  const digest = Buffer.from(await subtle.digest('SHA-256', payload)).toString('base64url');
  return keptBy(req, reply, { payload, digest });
}

async function keepPieced(req: FastifyRequest, reply: FastifyReply, payload: PiecedBody): Promise<PiecedBody | null> {
  const { digest, byteLength } = await payload.encode();
  reply.header('Content-Length', byteLength);
  const kept = keptBy(req, reply, { payload, digest });
  if (!kept) payload.destroy();
  return kept;
}

type Digested<Payload> = { payload: Payload; digest: string };

/** What is sent of the payload, once the headers say who may keep it. */
function keptBy<Payload>(
  req: FastifyRequest,
  reply: FastifyReply,
  { payload, digest }: Digested<Payload>,
): Payload | null {
  const etag = `"${digest.slice(0, digestLength)}"`;
  reply.headers({ ETag: etag, 'Cache-Control': privateCacheControl });
  vary(reply, privateVary);
  if (!isUnchanged(req.headers['if-none-match'], etag)) return payload;
  reply.code(304).removeHeader('Content-Type').removeHeader('Content-Length');
  // Fastify measures what HEAD would have sent, and throws it away itself.
  return req.method === 'HEAD' ? payload : null;
}

function isReading({ method }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  return (method === 'GET' || method === 'HEAD') && statusCode === 200;
}
