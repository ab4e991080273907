import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from './blocks.ts';

it('lists every numbered decision once, in order, by its file', () => {
  const folder = path.join(root, 'docs/decisions');
  const files = readdirSync(folder).filter((name) => /^\d{4}-.+\.md$/.test(name));
  const list = readFileSync(path.join(folder, 'README.md'), 'utf8');
  const listed = [...list.matchAll(/^\| \[\d{4}\]\((\S+\.md)\)/gm)].map(([, name]) => name);
  // Others are told in a sentence, such as one that took the place of another.
  const told = files.filter((name) => !listed.includes(name) && list.includes(`(${name})`));
  expect([...listed, ...told].toSorted()).toEqual(files.toSorted());
  expect(listed).toEqual(listed.toSorted());
});
