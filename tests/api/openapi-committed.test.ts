import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { writeDocument } from '../../src/admin/document.ts';
import { apiTypes } from '../support/client-types.ts';

const committed = new URL('../../docs/openapi.json', import.meta.url);
const types = new URL('../support/api-types.d.ts', import.meta.url);
const command = 'npm run openapi';
const upToDate = 'up to date';

it(`docs/openapi.json is what the service serves: run \`${command}\` after any change of the API, and commit it`, async () => {
  const { text } = await writeDocument({});
  expect(stateOf(await readFile(committed, 'utf8'), `${text}\n`)).toBe(upToDate);
});

it(`the types of the generated client are those of the document: \`${command}\` writes both`, async () => {
  expect(stateOf(await readFile(types, 'utf8'), await apiTypes())).toBe(upToDate);
});

it('has its schemas in the order of their names, so that a new one moves no other', async () => {
  const document = JSON.parse(await readFile(committed, 'utf8')) as { components: { schemas: object } };
  const names = Object.keys(document.components.schemas);
  expect(names).toEqual(names.toSorted());
});

/** The whole difference would be thousands of lines. */
function stateOf(found: string, expected: string): string {
  if (found === expected) return upToDate;
  const lines = found.split('\n');
  const place = expected.split('\n').findIndex((line, index) => line !== lines[index]);
  return `out of date from line ${place + 1} on; run: ${command}`;
}
