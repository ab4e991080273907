import * as fc from 'fast-check';
import { ids as exampleIds } from '../../src/domain/example-story.ts';

type Schema = Record<string, unknown>;
export type Pools = Map<string, string[]>;
export type FuzzContext = {
  resolve: <T extends { $ref?: string }>(part: T) => T;
  /** By name of a field, such as `projectId`: ids of what exists. */
  pools: Pools;
};

/** Stands in a body for a number that JavaScript cannot write. */
export const numberTooLarge = '../../1e999@@';

const nastyTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff\ud800x',
  '\uffff\ufffe',
  '\u202eright to left',
  'e\u0301\u0301\u0301',
  '👩‍👩‍👧‍👦'.repeat(20),
  "'; drop table records; --",
  '" or 1=1',
  '%_\\%',
  '\\',
  '${7*7}{{7*7}}',
  '../../../etc/passwd',
  '%00',
  '%ff',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'null',
  'true',
  '-1',
  '0',
  '1e400',
  'NaN',
  '0x10',
  '9007199254740993',
  '99999999999999999999',
  '1.5',
  '2026-02-30',
  '2026-13-01T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '0000-01-01',
  '-000001-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '9999-12-31T23:59:59.999Z',
  '294277-01-01',
  'infinity',
  'a or b -c "d',
  '"""',
  '! & | ( ) : * <->',
  '[::1]',
  'http://[',
  'https://user:password@recordings.example.com:99999/',
  'javascript:alert(1)',
  'a'.repeat(3000),
  'é'.repeat(1100),
];

export const nastyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...nastyTexts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
);

const nastyNumbers = [0, -0, -1, 1.5, 1e-7, 5e-324, 1e308, -1e308, 2 ** 31, 2 ** 53, 2 ** 63, 1e21, 101, 99_999];

function nested(depth: number, inObjects: boolean): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = inObjects ? { a: value } : [value];
  return value;
}

export const nastyValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: nastyText },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(...nastyNumbers, numberTooLarge) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [null], [[]], { a: null }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(nested(63, true), nested(2000, false), nested(500, true)) },
  { weight: 1, arbitrary: fc.constant(Array.from({ length: 1500 }, (_, index) => index)) },
  { weight: 1, arbitrary: fc.constant(JSON.parse('{"__proto__":{"a":1},"constructor":1,"toString":"x"}')) },
);

/** Values that a schema of the document allows; names of fields lead to ids of what exists. */
export function valueOf(given: Schema, context: FuzzContext, name = ''): fc.Arbitrary<unknown> {
  const schema = context.resolve(given);
  const pool = context.pools.get(name);
  if (pool)
    return fc.oneof({ weight: 6, arbitrary: fc.constantFrom<unknown>(...pool) }, fc.constant(exampleIds.record));
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(schema['enum'])) return fc.constantFrom<unknown>(...schema['enum']);
  const either = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(either)) return fc.oneof(...either.map((each: Schema) => valueOf(each, context)));
  const type = schema['type'];
  if (Array.isArray(type)) return fc.oneof(...type.map((each: string) => valueOf({ ...schema, type: each }, context)));
  switch (type) {
    case 'object':
      return objectOf(schema, context);
    case 'array': {
      const { minItems = 0, maxItems = 4 } = schema as { minItems?: number; maxItems?: number };
      const items = valueOf((schema['items'] ?? {}) as Schema, context, name.replace(/s$/, ''));
      return fc.array(items, { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 4)) });
    }
    case 'string':
      return textOf(schema);
    case 'integer':
    case 'number':
      return numberOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objectOf(schema: Schema, context: FuzzContext): fc.Arbitrary<unknown> {
  const {
    properties = {},
    required = [],
    additionalProperties,
  } = schema as {
    properties?: Record<string, Schema>;
    required?: string[];
    additionalProperties?: Schema | boolean;
  };
  const fields = Object.fromEntries(
    Object.entries(properties).map(([key, property]) => [key, valueOf(property, context, key)]),
  );
  const own = fc.record(fields, { requiredKeys: required });
  const patterns = Object.entries((schema['patternProperties'] ?? {}) as Record<string, Schema>);
  if (patterns.length > 0) {
    const maps = patterns.map(([pattern, value]) =>
      fc.dictionary(fc.stringMatching(new RegExp(pattern)), valueOf(value, context), { maxKeys: 3 }),
    );
    return fc.oneof(...maps);
  }
  if (typeof additionalProperties !== 'object') return own;
  const keys = fc.oneof(fc.constantFrom('0', '1', 'greeting', 'problemResolution'), fc.string({ maxLength: 8 }));
  const more = fc.dictionary(keys, valueOf(additionalProperties, context), { maxKeys: 3 });
  return fc.tuple(own, more).map(([named, others]) => ({ ...others, ...named }));
}

function textOf({ format, pattern, minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<string> {
  if (format === 'date-time') {
    const range = { min: new Date('1990-01-01'), max: new Date('2035-01-01'), noInvalidDate: true };
    return fc.date(range).map((date) => date.toISOString());
  }
  if (format === 'email') return fc.emailAddress();
  // Nobody fetches it: the pipeline does not run.
  if (format === 'uri') return fc.constantFrom('https://recordings.example.com/a.mp3', 'http://127.0.0.1:1/a.wav');
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern));
  const longest = Math.max(Number(minLength), Math.min(Number(maxLength), 40));
  return fc.string({ unit: 'grapheme', minLength: Number(minLength), maxLength: longest });
}

function numberOf({ type, minimum = -1000, maximum = 2 ** 31 }: Schema): fc.Arbitrary<number> {
  const [min, max] = [Number(minimum), Math.max(Number(minimum), Number(maximum))];
  if (type === 'integer') return fc.integer({ min: Math.ceil(min), max: Math.floor(max) });
  return fc.oneof(fc.integer({ min: Math.ceil(min), max: Math.floor(max) }), fc.double({ min, max, noNaN: true }));
}

/** Behind a text that is right otherwise, so that it passes every check but those for characters. */
const spoilers = ['\0', '\ud800', '\udc00', '\uffff', '\u202e', '\n', '\t', "'", '"', '\\', '%', '😀'];

/** The value with one or two of its parts replaced, taken away, repeated or joined by others. */
export function mutated(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const kind = fc.constantFrom('replace', 'replace', 'replace', 'spoil', 'spoil', 'spoil', 'remove', 'add', 'wrap');
  const change = fc.record({ place: fc.nat({ max: 1000 }), kind, nasty: nastyValue, key: nastyText });
  return fc.tuple(value, fc.array(change, { minLength: 1, maxLength: 2 })).map(([given, changes]) => {
    const holder: { value: unknown } = { value: structuredClone(given) };
    for (const { place, kind, nasty, key } of changes) {
      const all = placesIn(holder);
      const texts =
        kind === 'spoil' ? all.filter(([parent, name]) => typeof Reflect.get(parent, name) === 'string') : [];
      const places = texts.length > 0 ? texts : all;
      const [parent, name] = places[place % places.length] ?? [holder, 'value'];
      const parts = parent as Record<string, unknown>;
      const part = parts[name];
      if (kind === 'remove') delete parts[name];
      else if (kind === 'spoil' && typeof part === 'string')
        put(parts, name, `${part}${spoilers[place % spoilers.length]}`);
      else if (kind === 'wrap') put(parts, name, [part]);
      else if (kind === 'add' && typeof part === 'object' && part !== null) put(part, key, structuredClone(nasty));
      else put(parts, name, structuredClone(nasty));
    }
    return holder.value;
  });
}

/** An own field, whatever its name: an assignment to `__proto__` makes none. */
function put(target: object, name: string, value: unknown): void {
  if (Array.isArray(target) && name === 'length') return;
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

function placesIn(root: object): [object, string][] {
  const places: [object, string][] = [];
  const rest: object[] = [root];
  for (let part = rest.pop(); part && places.length < 500; part = rest.pop()) {
    for (const [key, value] of Object.entries(part)) {
      places.push([part, key]);
      if (typeof value === 'object' && value !== null) rest.push(value as object);
    }
  }
  return places;
}
