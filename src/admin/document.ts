import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buildOpenApiDocument } from '../http/openapi/document.ts';
import type { Result } from './output.ts';

const packageFile = new URL('../../package.json', import.meta.url);

/** Writes the document that the service serves at `/openapi.json`. Without `out`, it is printed. */
export async function writeDocument({ out, server }: { out?: string; server?: string }): Promise<Result> {
  const { version } = JSON.parse(await readFile(packageFile, 'utf8')) as { version: string };
  const document = buildOpenApiDocument({ version, ...(server !== undefined && { serverUrl: server }) });
  const text = JSON.stringify(document, null, 2);
  if (out === undefined) return { data: document, text };
  const file = path.resolve(out);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `${text}\n`);
  return { data: { file }, text: `Wrote ${file}` };
}
