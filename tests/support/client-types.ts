import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString, COMMENT_HEADER, type OpenAPI3 } from 'openapi-typescript';

const root = new URL('../../', import.meta.url);
const types = new URL('tests/support/api-types.d.ts', root);

/**
 * The types of the document as our own tests use them: without the further fields that answers may gain, so that the
 * compiler knows a field that is not there.
 */
export async function apiTypes(): Promise<string> {
  const text = await readFile(new URL('docs/openapi.json', root), 'utf8');
  const document = JSON.parse(text, (key, value: unknown) =>
    key === 'additionalProperties' && value === true ? undefined : value,
  ) as OpenAPI3;
  return `${COMMENT_HEADER}${astToString(await openapiTS(document))}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(types, await apiTypes());
