import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { writeDocument } from '../../src/admin/document.ts';

const committed = new URL('../../docs/openapi.json', import.meta.url);
const command = 'npm run openapi';

it(`docs/openapi.json is what the service serves: run \`${command}\` after any change of the API, and commit it`, async () => {
  const { text } = await writeDocument({});
  const lines = (await readFile(committed, 'utf8')).trimEnd().split('\n');
  const first = text.split('\n').findIndex((line, index) => line !== lines[index]);
  const isSame = first < 0 && lines.length === text.split('\n').length;
  expect(isSame, `docs/openapi.json is out of date from line ${first + 1} on. Run: ${command}`).toBe(true);
});

it('has its schemas in the order of their names, so that a new one moves no other', async () => {
  const document = JSON.parse(await readFile(committed, 'utf8')) as { components: { schemas: object } };
  const names = Object.keys(document.components.schemas);
  expect(names).toEqual(names.toSorted());
});
