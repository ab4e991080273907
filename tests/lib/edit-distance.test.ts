import { expect, it } from 'vitest';
import { editDistance } from '../../src/lib/edit-distance.ts';

it.each([
  ['', '', 0],
  ['same', 'same', 0],
  ['pasword', 'password', 1],
  ['passworrd', 'password', 1],
  ['passwort', 'password', 1],
  ['pasword', 'passwrod', 2],
  ['psasword', 'password', 1],
  ['ab', 'ba', 1],
  ['kitten', 'sitting', 3],
  ['паспрот', 'паспорт', 1],
])('between %s and %s lie %i edits, and more than a limit below', (left, right, edits) => {
  expect(editDistance(left, right, 3)).toBe(edits);
  expect(editDistance(right, left, edits)).toBe(edits);
  expect(editDistance(left, right, edits - 1) > edits - 1).toBe(true);
});
