import { expect, it } from 'vitest';
import { readSources } from './training/corpora.ts';
import { learn } from './training/learn.ts';
import { writeTagger } from './training/pack.ts';

it('learns the same weights, byte for byte, from the same calls', () => {
  const some = readSources().filter((_, index) => index % 40 === 0);
  const [once, again] = [1, 2].map(() => writeTagger(learn(some, { rounds: 2 })));
  expect(once?.length).toBeGreaterThan(10_000);
  expect(again).toBe(once);
}, 300_000);
