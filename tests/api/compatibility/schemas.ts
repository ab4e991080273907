import { alternativesOf, listOf, schemaOf, type Alternative, type Document, type Schema } from './alternatives.ts';

/** `sent` to us: what was accepted has to be accepted. `answered`: what was relied on has to be there. */
export type Direction = 'sent' | 'answered';
export type Breach = { place: string; what: string };
type Compared = { before: Document; after: Document; direction: Direction; seen: Set<string> };

/** What of the former schema no longer holds. Names, order and the way a schema is spelt do not matter. */
export function breachesOf(before: Schema, after: Schema, compared: Omit<Compared, 'seen'>): Breach[] {
  return compare(before, after, { ...compared, seen: new Set() }, '');
}

function compare(before: Schema, after: Schema, compared: Compared, place: string): Breach[] {
  // A schema that holds itself fits if nothing else is against it.
  const pair = `${String(before['$ref'])} ${String(after['$ref'])}`;
  const isNamed = '$ref' in before && '$ref' in after;
  if (isNamed && compared.seen.has(pair)) return [];
  const inside = isNamed ? { ...compared, seen: new Set([...compared.seen, pair]) } : compared;
  const former = alternativesOf(before, compared.before);
  const present = alternativesOf(after, compared.after);
  const [given, allowed] = compared.direction === 'sent' ? [former, present] : [present, former];
  return given.flatMap((each) => {
    const fitting = allowed.filter(({ kind }) => kind === each.kind || kind === 'any');
    const tried = fitting.map((other) => {
      const [was, is] = compared.direction === 'sent' ? [each, other] : [other, each];
      return compareKinds(was, is, inside, place);
    });
    const what = compared.direction === 'sent' ? `no longer accepts ${each.kind}` : `may be ${each.kind} now`;
    return tried.toSorted((a, b) => a.length - b.length)[0] ?? [{ place, what }];
  });
}

function compareKinds(was: Alternative, is: Alternative, compared: Compared, place: string): Breach[] {
  if (was.kind === 'any' || is.kind === 'any') return [];
  const found = [...enumBreaches(was.schema, is.schema, compared), ...limitBreaches(was.schema, is.schema, compared)];
  const own = found.map((what) => ({ place, what }));
  if (was.kind === 'object') return [...own, ...compareObjects(was.schema, is.schema, compared, place)];
  if (was.kind !== 'array') return own;
  const [items, newItems] = [schemaOf(was.schema['items']) ?? {}, schemaOf(is.schema['items']) ?? {}];
  return [...own, ...compare(items, newItems, compared, `${place}[]`)];
}

function compareObjects(was: Schema, is: Schema, compared: Compared, place: string): Breach[] {
  const [former, present] = [propertiesOf(was), propertiesOf(is)];
  const [mustBefore, mustNow] = [listOf(was['required']), listOf(is['required'])];
  const at = (name: string): string => (place ? `${place}.${name}` : name);
  const breaches = Object.entries(former).flatMap(([name, schema]): Breach[] => {
    const next = present[name] ?? schemaOf(is['additionalProperties']);
    if (next) return compare(schema, next, compared, at(name));
    if (schema['deprecated'] === true) return [];
    return [{ place: at(name), what: 'was removed' }];
  });
  const rest = [schemaOf(was['additionalProperties']), schemaOf(is['additionalProperties'])] as const;
  if (rest[0] && rest[1]) breaches.push(...compare(rest[0], rest[1], compared, at('*')));
  if (compared.direction === 'answered') {
    const lost = mustBefore.filter((name) => !mustNow.includes(name) && String(name) in present);
    return [...breaches, ...lost.map((name) => ({ place: at(String(name)), what: 'may be missing now' }))];
  }
  const isClosed = is['additionalProperties'] === false && was['additionalProperties'] !== false;
  if (isClosed) breaches.push({ place, what: 'takes no further fields now' });
  const added = mustNow.filter((name) => !mustBefore.includes(name));
  return [...breaches, ...added.map((name) => ({ place: at(String(name)), what: 'is required now' }))];
}

function propertiesOf({ properties }: Schema): Record<string, Schema> {
  return (schemaOf(properties) ?? {}) as Record<string, Schema>;
}

function enumBreaches(was: Schema, is: Schema, { direction }: Compared): string[] {
  const [former, present] = [was['enum'], is['enum']];
  if (Array.isArray(former) && Array.isArray(present)) {
    // A new value in an answer is not a breach: readers are told to expect more.
    const verb = direction === 'sent' ? 'no longer accepts' : 'is never';
    return former.filter((value) => !present.includes(value)).map((value) => `${verb} ${JSON.stringify(value)}`);
  }
  if (direction === 'sent' && Array.isArray(present)) return [`accepts only ${JSON.stringify(present)} now`];
  if (direction === 'answered' && Array.isArray(former)) return ['may be any value now'];
  return [];
}

const upper = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems', 'maxProperties'];
const lower = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems', 'minProperties'];
/** The format of a number says how to keep it; every such number is still taken. */
const forms = ['format', 'pattern', 'multipleOf', 'uniqueItems', 'propertyNames'];

function limitBreaches(was: Schema, is: Schema, { direction }: Compared): string[] {
  if (direction === 'answered') {
    const found = was['type'] === 'integer' && is['type'] === 'number' ? ['may have decimals now'] : [];
    const hasOtherFormat = was['format'] !== undefined && was['format'] !== is['format'];
    return hasOtherFormat ? [...found, `format was ${String(was['format'])}`] : found;
  }
  const narrower = was['type'] === 'number' && is['type'] === 'integer' ? ['takes no decimals now'] : [];
  const tighter = [
    ...upper.filter((key) => key in is && !(Number(was[key]) <= Number(is[key]))),
    ...lower.filter((key) => key in is && Number(is[key]) > 0 && !(Number(was[key]) >= Number(is[key]))),
    ...forms.filter(
      (key) =>
        key in is &&
        JSON.stringify(is[key]) !== JSON.stringify(was[key]) &&
        !(key === 'format' && is['type'] !== 'string'),
    ),
  ];
  return [...narrower, ...tighter.map((key) => `${key in was ? 'has another' : 'has a'} ${key}`)];
}
