import fp from 'fastify-plugin';
import type { FastifyInstance } from 'fastify';

const bodyTimeoutMs = 30_000;

/** JSON bodies only (uploads bring a parser of their own); an absent body is no mistake, a slow one ends. */
export const jsonBody = fp(async function jsonBody(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (req, body, done) => {
    if (body.length === 0) done(null, undefined);
    else parse(req, String(body), done);
  });
  app.addHook('preParsing', async (req) => {
    if (req.headers['content-type']?.startsWith('multipart/')) return;
    const timer = setTimeout(() => req.raw.destroy(), bodyTimeoutMs);
    req.raw.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer));
  });
});
