import { hash } from 'node:crypto';
import fp from 'fastify-plugin';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isUnchanged } from './byte-range.ts';
import { vary } from './response-headers.ts';

/** What an answer to a reading depends on, besides its address. */
export const privateVary = 'Authorization, Cookie, X-Selected-Org-ID';
export const privateCacheControl = 'private, no-cache';

const digestLength = 27;

/**
 * A reading under `/api` carries an `ETag` over its bytes, and is 304 for whoever has them (RFC 9110, section 13.1.2).
 * It is read all the same: what is saved is the sending. Everything else there is not to be kept by anybody.
 */
export const caching = fp(async function caching(app: FastifyInstance) {
  app.addHook('onSend', (req, reply, payload, done) => {
    done(null, keptBy(req, reply, payload));
  });
});

/** What is sent of the payload, once the headers say who may keep it. */
function keptBy(req: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  if (!req.url.startsWith('/api/') || reply.hasHeader('Cache-Control')) return payload;
  if (!isReading(req, reply) || typeof payload !== 'string') {
    reply.header('Cache-Control', 'no-store');
    return payload;
  }
  const etag = `"${hash('sha256', payload, 'base64url').slice(0, digestLength)}"`;
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
