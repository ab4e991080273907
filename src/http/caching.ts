import { hash, subtle } from 'node:crypto';
import fp from 'fastify-plugin';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isUnchanged } from './byte-range.ts';
import { isCoded } from './compression.ts';
import { tagOfDigest, withCodings } from './entity-tag.ts';
import { PiecedBody } from './pieced-body.ts';
import { vary } from './response-headers.ts';

/** What the answer to a GET depends on, besides its address. */
export const privateVary = 'Authorization, Cookie, X-Selected-Org-ID';
export const privateCacheControl = 'private, no-cache';

const longMin = 100_000;

/**
 * Every GET below `/api` gets an `ETag` over its bytes, and 304 if the client has them (RFC 9110, section 13.1.2). The
 * data is read all the same; only sending it is saved. Other answers must not be cached.
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

/** Long answers are encoded once, and hashed in a thread pool of Node's. */
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

/** The payload to send, once the headers say who may cache it. */
function keptBy<Payload>(
  req: FastifyRequest,
  reply: FastifyReply,
  { payload, digest }: Digested<Payload>,
): Payload | null {
  const tag = tagOfDigest(digest);
  const known = req.headers['if-none-match'];
  const held = known === undefined ? undefined : withCodings(tag).find((each) => isUnchanged(known, each));
  const etag = held ?? tag;
  reply.headers({ ETag: etag, 'Cache-Control': privateCacheControl });
  vary(reply, privateVary);
  if (held === undefined) return payload;
  if (isCoded(reply, payload)) vary(reply, 'Accept-Encoding');
  reply.code(304).removeHeader('Content-Type').removeHeader('Content-Length');
  // Fastify needs the body of a HEAD to compute its headers, and discards it itself.
  return req.method === 'HEAD' ? payload : null;
}

function isReading({ method }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  return (method === 'GET' || method === 'HEAD') && statusCode === 200;
}
