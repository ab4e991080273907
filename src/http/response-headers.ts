import fp from 'fastify-plugin';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';

/** Sets the headers that every response has. */
export type SetHeaders = (req: FastifyRequest, reply: FastifyReply) => void;

const yearSeconds = 31_536_000;
/** For everything but pages, which have their own policy. */
const contentSecurityPolicy = "default-src 'none'; frame-ancestors 'none'";

const allowedMethods = 'GET, HEAD, POST, PATCH, DELETE';
const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'If-Range',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Protocol-Version',
  'Range',
  'X-Request-Id',
  'X-Selected-Org-ID',
].join(', ');
const exposedHeaders = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Range',
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Location',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ');
const preflightSeconds = '7200';

type Settings = Pick<Config, 'NODE_ENV' | 'PUBLIC_URL' | 'CORS_ORIGINS'>;

/** The first hook: refused requests need these headers too. Preflights end here, and are not counted. */
export const responseHeaders = fp(async function responseHeaders(
  app: FastifyInstance,
  { setHeaders }: { setHeaders: SetHeaders },
) {
  app.addHook('onRequest', (req, reply, done) => {
    setHeaders(req, reply);
    if (isPreflight(req) && reply.hasHeader('Access-Control-Allow-Origin')) answerPreflight(req, reply);
    else done();
  });
});

/** Security headers, and CORS for the origins allowed by name (Fetch standard, section 3.2). */
export function createSetHeaders({ NODE_ENV, PUBLIC_URL, CORS_ORIGINS }: Settings): SetHeaders {
  const origins = new Set(CORS_ORIGINS);
  const isPublicHttps = PUBLIC_URL?.startsWith('https:') ?? false;
  return (req, reply) => {
    reply.headers({
      'Content-Security-Policy': contentSecurityPolicy,
      // With `no-referrer`, browsers hide the origin of our own forms, which sign-in needs.
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
    });
    if (NODE_ENV === 'production' && (isPublicHttps || req.protocol === 'https')) {
      reply.header('Strict-Transport-Security', `max-age=${yearSeconds}`);
    }
    if (origins.size === 0) return;
    vary(reply, 'Origin');
    const { origin } = req.headers;
    if (origin === undefined || !origins.has(origin)) return;
    reply.headers({
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Credentials': 'true',
      'Access-Control-Expose-Headers': exposedHeaders,
    });
  };
}

/** Adds to the `Vary` header. */
export function vary(reply: FastifyReply, names: string): void {
  const known = reply.getHeader('Vary');
  reply.header('Vary', typeof known === 'string' ? `${known}, ${names}` : names);
}

function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function answerPreflight({ id }: FastifyRequest, reply: FastifyReply): void {
  vary(reply, 'Access-Control-Request-Method, Access-Control-Request-Headers');
  reply
    .code(204)
    .headers({
      'Access-Control-Allow-Methods': allowedMethods,
      'Access-Control-Allow-Headers': allowedHeaders,
      'Access-Control-Max-Age': preflightSeconds,
      'X-Request-Id': id,
    })
    .send();
}
