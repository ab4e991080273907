import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const ownFolder = fileURLToPath(new URL('docs-page', import.meta.url));
/** We only use the Swagger UI files in this package, which come without install-time telemetry. */
const uiFolder = path.join(
  path.dirname(fileURLToPath(import.meta.resolve('@fastify/swagger-ui/package.json'))),
  'static',
);

const assets: Record<string, string> = {
  'docs.css': ownFolder,
  'docs.js': ownFolder,
  'favicon-32x32.png': uiFolder,
  'swagger-ui.css': uiFolder,
  'swagger-ui-bundle.js': uiFolder,
};

/** Nothing is loaded from, or sent to, another origin, neither by the page nor by content of the document. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "media-src 'self' blob:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Interactive documentation at `/docs`, based on `/openapi.json`. Both are public. */
export async function docs(app: FastifyInstance): Promise<void> {
  await app.register(fastifyStatic, { root: [ownFolder, uiFolder], serve: false, cacheControl: false });
  app.addHook('onSend', async (_req, reply) => {
    reply.headers({
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': contentSecurityPolicy,
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
    });
  });
  for (const url of ['/docs', '/docs/']) app.get(url, async (_req, reply) => reply.sendFile('docs.html', ownFolder));
  for (const [name, folder] of Object.entries(assets)) {
    app.get(`/docs/${name}`, async (_req, reply) => reply.sendFile(name, folder));
  }
}
