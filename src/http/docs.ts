import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { isUnchanged } from './byte-range.ts';
import { codingFor, type Coding } from './compression.ts';
import { buildOpenApiDocument } from './openapi/document.ts';
import { forReaders } from './openapi/for-readers.ts';
import { vary } from './response-headers.ts';

const folder = fileURLToPath(new URL('docs-page', import.meta.url));

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
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

type Asset = { digest: string; bytes: Record<Coding | 'identity', Buffer> };

/** Interactive documentation at `/docs`, based on the document. Both are public. */
export async function docs(app: FastifyInstance, { version }: { version: string }): Promise<void> {
  const fromFolder = (name: string) => () => readFile(path.join(folder, name));
  const page = readerOf('docs.html', fromFolder('docs.html'));
  for (const url of ['/docs', '/docs/']) app.get(url, page);
  for (const name of ['docs.css', 'docs.js', 'icon.svg', 'styles.js']) {
    app.get(`/docs/${name}`, readerOf(name, fromFolder(name)));
  }
  app.get('/docs/reference.js', readerOf('reference.js', readReference));
  app.get(
    '/docs/openapi.json',
    readerOf('openapi.json', async () => Buffer.from(JSON.stringify(forReaders(buildOpenApiDocument({ version }))))),
  );
}

/** Read and compressed when it is first asked for, then kept. */
function readerOf(name: string, read: () => Promise<Buffer>) {
  let asset: Promise<Asset> | undefined;
  return async (req: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    asset ??= read().then(toAsset);
    // What could not be read is tried again.
    asset.catch(() => (asset = undefined));
    const { digest, bytes } = await asset;
    const coding = codingFor(req.headers['accept-encoding']);
    const etag = `"${digest}${coding ? `-${coding}` : ''}"`;
    vary(reply, 'Accept-Encoding');
    reply.headers({
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': contentSecurityPolicy,
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      ETag: etag,
    });
    if (isUnchanged(req.headers['if-none-match'], etag)) return reply.code(304).send();
    if (coding) reply.header('Content-Encoding', coding);
    return reply.type(types[path.extname(name)] ?? 'text/plain').send(bytes[coding ?? 'identity']);
  };
}

async function toAsset(identity: Buffer): Promise<Asset> {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
  const [br, zipped] = await Promise.all([promisify(brotliCompress)(identity, quality), promisify(gzip)(identity)]);
  const digest = createHash('sha256').update(identity).digest('base64url').slice(0, 22);
  return { digest, bytes: { br, gzip: zipped, identity } };
}

/** What the reference shows in the empty field of a key, and what is meant: the organization is the only one here. */
const jokeForKeys = 'QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT';
const organizationForm = 'org_…';

/** The script of the reference, which its plugin keeps to itself: a service of nobody hands it out. */
async function readReference(): Promise<Buffer> {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const holder = fastify();
  await holder.register(reference, { routePrefix: '/reference', configuration: { url: '/openapi.json' } });
  const { rawPayload, statusCode } = await holder.inject('/reference/js/scalar.js');
  await holder.close();
  if (statusCode !== 200) throw new Error('The script of the API reference is not where it was.');
  return Buffer.from(rawPayload.toString().replaceAll(jokeForKeys, organizationForm));
}
