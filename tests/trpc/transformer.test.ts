import {
  array,
  assert,
  boolean,
  constantFrom,
  date,
  dictionary,
  double,
  integer,
  letrec,
  oneof,
  property,
  string,
} from 'fast-check';
import { deserialize, serialize } from 'superjson';
import { describe, expect, it } from 'vitest';
import { transformer } from '../../src/trpc/transformer.ts';

const seed = 20_260_301;

/** Objects that occur twice are written twice; superjson notes that they are one. */
function bySuperjson(value: unknown) {
  const { json, meta: { values, v } = {} } = serialize(value);
  return values ? { json, meta: { values, v } } : { json };
}

const key = oneof(string({ maxLength: 4 }), constantFrom('a.b', 'a\\b', '.', '\\', '0', 'createdAt'));
const { value: anything } = letrec((tie) => ({
  value: oneof(
    { maxDepth: 5 },
    string(),
    integer(),
    double(),
    boolean(),
    constantFrom(null, undefined, Number.NaN, -0, 12n),
    date({ noInvalidDate: true }),
    array(tie('value'), { maxLength: 4 }),
    dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

describe('an answer over RPC', () => {
  it('is written as superjson writes it, and read as what it was', () => {
    assert(
      property(anything, (value) => {
        const written = transformer.serialize(value);
        const { json, meta: { values, v } = {} } = written;
        expect(values ? { json, meta: { values, v } } : { json }).toStrictEqual(bySuperjson(value));
        const sent = JSON.parse(JSON.stringify(written));
        expect(deserialize(sent)).toEqual(value);
        expect(transformer.deserialize(sent)).toEqual(value);
      }),
      { seed, numRuns: 2_000 },
    );
  });

  it('leaves to superjson what is no JSON with dates', () => {
    const loop: Record<string, unknown> = { name: 'loop' };
    loop['self'] = loop;
    for (const value of [new Map([['a', 1]]), { set: new Set([1]) }, { date: new Date(Number.NaN) }, loop]) {
      expect(transformer.serialize(value)).toEqual(serialize(value));
    }
    expect(() => transformer.serialize(JSON.parse('{"a":{"__proto__":1}}'))).toThrow('prototype pollution');
  });

  it('is not changed by being written', () => {
    const at = new Date('2026-01-02T03:04:05.678Z');
    const given = { data: [{ at, name: 'a', tags: ['x'] }] };
    const { json } = transformer.serialize(given);
    expect(given.data[0]?.at).toBe(at);
    expect(json).toEqual({ data: [{ at: '2026-01-02T03:04:05.678Z', name: 'a', tags: ['x'] }] });
  });
});
