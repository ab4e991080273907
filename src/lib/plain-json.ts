import { z } from 'zod';

/** Lists known to hold plain JSON, for example read from a JSON column. */
const plain = new WeakSet<object>();

/** Marks a list as plain JSON, so that serialization does not search megabytes of it for dates. */
export function plainJson<List extends readonly unknown[]>(list: List): List {
  plain.add(list);
  return list;
}

export function isPlainJson(value: unknown): boolean {
  return typeof value === 'object' && value !== null && plain.has(value);
}

/** For answers: a list that we stored ourselves. The document describes its items, and nothing validates them again. */
export function listAsStored<Item extends z.ZodType>(item: Item): z.ZodArray<Item> {
  return asStored(z.array(item));
}

/** The same for a list schema that exists already. */
export function asStored<List extends z.ZodArray>(list: List): List {
  const { run } = list._zod;
  return running(list, (payload, ctx) => (Array.isArray(payload.value) ? payload : run(payload, ctx)));
}

/** For inputs: a list that the document describes and that the service validates itself, because that takes long. */
export function checkedLater<Item extends z.ZodType>(list: z.ZodArray<Item>): z.ZodType<unknown, z.input<Item>[]> {
  const unchecked: z.ZodType<unknown, unknown> = running(list, (payload) => payload);
  // The schema documents what clients should send; what they did send can be anything.
  return unchecked as z.ZodType<unknown, z.input<Item>[]>;
}

type Run = z.core.$ZodTypeInternals['run'];

/** `run` is what zod calls on a schema for each value (zod 4, `zod/v4/core`, "Building on Zod"). */
function running<Schema extends z.ZodType>(schema: Schema, run: Run): Schema {
  const copy = schema.clone();
  copy._zod.run = run;
  return copy;
}

/** The stored JSON of long lists. */
const stored = new WeakMap<object, string>();

const unreadable: ProxyHandler<never[]> = {
  get() {
    throw new Error('This list is put into an answer as it is stored, and read by nobody.');
  },
};

/**
 * A list that was stored as JSON. Parsing and serializing megabytes would block the event loop, so a long list is
 * copied into the answer as it is (`writeAnswer`) and cannot be read.
 */
export function storedList<Item>(json: string): Item[] {
  const list = new Proxy<Item[]>([], unreadable);
  stored.set(list, json);
  return list;
}

/** Whether the value can only be written into an answer, not read. */
export function isStored(value: unknown): boolean {
  return typeof value === 'object' && value !== null && stored.has(value);
}

// The dashboard loads this module too, so it uses nothing from Node and nothing that pages without TLS lack.
const nonce = crypto.getRandomValues(new Uint32Array(4)).join('-');
const marks = new RegExp(`"${nonce}:(\\d+)"`, 'g');

/**
 * An answer as JSON, in pieces: the answer or the items of a page may hold stored lists. `write` serializes everything
 * else.
 */
export function writeAnswer(answer: unknown, write: (rest: unknown) => string = JSON.stringify): string[] {
  if (!holdsStored(answer)) return [write(answer)];
  const lists: string[] = [];
  const parts = write(withMarks(answer, lists)).split(marks);
  return parts.map((part, index) => (index % 2 === 0 ? part : (lists[Number(part)] ?? '')));
}

/** Few answers do, and the others need no copy. */
function holdsStored(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return false;
  const isItemStored = 'data' in answer && Array.isArray(answer.data) && answer.data.some(holdsStored);
  return isItemStored || Object.values(answer).some(isStored);
}

/** A copy with a marker in place of each stored list. */
function withMarks(answer: unknown, lists: string[]): unknown {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return answer;
  const entries = Object.entries(answer).map(([key, value]: [string, unknown]) => {
    const json = typeof value === 'object' && value !== null ? stored.get(value) : undefined;
    if (json !== undefined) return [key, `${nonce}:${lists.push(json) - 1}`];
    return [key, key === 'data' && Array.isArray(value) ? value.map((item) => withMarks(item, lists)) : value];
  });
  return Object.fromEntries(entries);
}
