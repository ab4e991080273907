import { expect, it } from 'vitest';
import { clock, fit, wrap } from '../../src/demo/screen.ts';

it('breaks text between words and never loses one', () => {
  const text = 'The agent reads the full card number aloud, which nobody may do.';
  const lines = wrap(text, 20);
  expect(lines.join(' ')).toBe(text);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(20);
  expect(wrap('extraordinarily-long-word here', 10)).toEqual(['extraordinarily-long-word', 'here']);
  expect(wrap('', 10)).toEqual([]);
});

it('makes a column of one width, with an ellipsis where something is cut', () => {
  expect(fit('short', 8)).toBe('short   ');
  expect(fit('rather long', 8)).toBe('rather …');
});

it('writes times as minutes and seconds', () => {
  expect([0, 9_999, 61_000, 3_600_000].map(clock)).toEqual(['0:00', '0:09', '1:01', '60:00']);
});
