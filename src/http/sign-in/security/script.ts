import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { isUnchanged } from '../../byte-range.ts';

type Script = { text: string; etag: string };

/** The script of pages with passkeys, with the library that it uses. Read once, when it is first asked for. */
export function servePasskeyScript(app: FastifyInstance, url: string): void {
  let script: Promise<Script> | undefined;
  app.get(url, { config: { counted: 'not' } }, async (req, reply) => {
    script ??= readScript();
    // What could not be read is tried again.
    script.catch(() => (script = undefined));
    const { text, etag } = await script;
    reply.headers({ 'Cache-Control': 'no-cache', ETag: etag });
    if (isUnchanged(req.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type('text/javascript; charset=utf-8').send(text);
  });
}

async function readScript(): Promise<Script> {
  const library = import.meta.resolve('@simplewebauthn/browser');
  const files = [new URL('../dist/bundle/index.umd.min.js', library), new URL('passkeys.js', import.meta.url)];
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const text = texts.join('\n');
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` };
}
