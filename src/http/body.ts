import type { IncomingMessage } from 'node:http';
import fp from 'fastify-plugin';
import type { FastifyInstance } from 'fastify';
import { AppError, validationError } from '../lib/errors.ts';

const bodyTimeoutDefaultMs = 30_000;
const drainTimeoutMs = 30_000;

/** Parses JSON bodies only (uploads have their own parser). A missing body is fine, and a slow one times out. */
export const jsonBody = fp(async function jsonBody(
  app: FastifyInstance,
  { bodyTimeoutMs = bodyTimeoutDefaultMs }: { bodyTimeoutMs?: number },
) {
  // Accepts all field names here: `assertStorable` rejects the dangerous ones by name.
  const parse = app.getDefaultJsonParser('ignore', 'ignore');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (req, body, done) => {
    if (body.length === 0) done(null, undefined);
    else parse(req, String(body), done);
  });
  app.addHook('preParsing', ({ headers, raw }, reply, _payload, done) => {
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
    if (hasBody && encoding !== 'identity') throw compressedBody();
    if (!hasBody || headers['content-type']?.startsWith('multipart/')) return done();
    const timer = setTimeout(() => {
      reply.header('Connection', 'close').send(validationError('body', 'The body did not arrive in time.'));
    }, bodyTimeoutMs);
    const stop = (): void => clearTimeout(timer);
    raw.once('close', stop).once('end', stop);
    // Rejecting an unread body ends only its own response.
    reply.raw.once('finish', stop).once('close', stop);
    done();
  });
  // Fastify would close the connection, and the sender, still writing, would lose the answer.
  app.addHook('onSend', (_req, reply, payload, done) => {
    if (reply.statusCode === 413) reply.removeHeader('Connection');
    done(null, payload);
  });
  app.addHook('onResponse', (req, _reply, done) => {
    endLeftover(req.raw, drainTimeoutMs);
    done();
  });
});

/** A refused sender may finish sending, so that it reads its answer, but only for a while. */
export function endLeftover(raw: IncomingMessage, drainTimeoutMs: number): void {
  if (raw.complete || raw.destroyed) return;
  const timer = setTimeout(() => raw.destroy(), drainTimeoutMs);
  raw.once('close', () => clearTimeout(timer));
  raw.resume();
}

/** RFC 9110, section 12.5.3: the answer names the codings that a request may have. */
function compressedBody(): AppError {
  return new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body uncompressed, without Content-Encoding.', {
    headers: { 'Accept-Encoding': 'identity' },
  });
}
