import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { isUnchanged } from '../byte-range.ts';
import { buildOpenApiDocument } from './document.ts';

/** The document of the REST surface at `/openapi.json`: public, made on the first request and kept. */
export async function openApi(app: FastifyInstance, { version }: { version: string }): Promise<void> {
  let served: { body: string; etag: string } | undefined;
  app.get('/openapi.json', async (req, reply) => {
    served ??= render(version);
    reply.header('Cache-Control', 'no-cache').header('ETag', served.etag);
    if (isUnchanged(req.headers['if-none-match'], served.etag)) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(served.body);
  });
}

function render(version: string): { body: string; etag: string } {
  const body = JSON.stringify(buildOpenApiDocument({ version }));
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}
