import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/lib/errors.ts';
import { assertStorable } from '../../src/lib/storable.ts';

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 ? [value] : { value };
  return value;
}

class Money {
  amount = 1;
}

describe('assertStorable', () => {
  it.each([
    undefined,
    null,
    true,
    0,
    -1.5,
    '',
    'text with \t, \n and 🎧',
    new Date(0),
    [],
    {},
    Object.create(null),
    { list: [1, 'a', null, { deep: [] }], none: undefined },
    nested(64),
  ])('takes %j', (value) => {
    expect(() => assertStorable(value)).not.toThrow();
  });

  it.each<[string, unknown]>([
    ['NUL', 'a\0'],
    ['NUL deep inside', { list: [{ text: '\0' }] }],
    ['NUL in a key', { 'a\0': 1 }],
    ['half a surrogate pair', '\ud83d'],
    ['the other half', 'x\udc00'],
    ['half a pair in a key', { '\ud83d': 1 }],
    ['no number', Number.NaN],
    ['an infinite number', -Infinity],
    ['a big integer', 1n],
    ['a symbol', Symbol('x')],
    ['a function', () => {}],
    ['a set', new Set([1])],
    ['a map', { map: new Map() }],
    ['an expression', /x/],
    ['an address', new URL('https://example.com')],
    ['bytes', Buffer.from('x')],
    ['an error', new Error('x')],
    ['an instance', new Money()],
    ['an invalid date', new Date(Number.NaN)],
    ['nesting', nested(65)],
    ['nesting without end', nested(500_000)],
  ])('refuses %s as a mistake of the sender', (_case, value) => {
    let thrown: unknown;
    try {
      assertStorable(value);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(AppError);
    expect(thrown).toMatchObject({ code: 'VALIDATION_ERROR', status: 400 });
  });

  it('does not mind breadth', () => {
    expect(() => assertStorable(Array.from({ length: 200_000 }, (_, index) => ({ index })))).not.toThrow();
  });
});
