import { z } from 'zod';

/** Lists that hold JSON and nothing else, such as were read from a column of JSON. */
const plain = new WeakSet<object>();

/** Says so of a list, for whoever would look for dates and the like in megabytes of it. */
export function plainJson<List extends readonly unknown[]>(list: List): List {
  plain.add(list);
  return list;
}

export function isPlainJson(value: unknown): boolean {
  return typeof value === 'object' && value !== null && plain.has(value);
}

/** In answers: a list that we have stored ourselves. The document shows its items, and nobody walks them once more. */
export function listAsStored<Item extends z.ZodType>(item: Item): z.ZodArray<Item> {
  return asStored(z.array(item));
}

/** The same of a list that is described already. */
export function asStored<List extends z.ZodArray>(list: List): List {
  const { run } = list._zod;
  return running(list, (payload, ctx) => (Array.isArray(payload.value) ? payload : run(payload, ctx)));
}

/** In what is sent: a list that the document describes, and that its service checks, since that takes long. */
export function checkedLater<Item extends z.ZodType>(list: z.ZodArray<Item>): z.ZodType<unknown, z.input<Item>[]> {
  const unchecked: z.ZodType<unknown, unknown> = running(list, (payload) => payload);
  // What clients may send is told by the schema; what they have sent is anything.
  return unchecked as z.ZodType<unknown, z.input<Item>[]>;
}

type Run = z.core.$ZodTypeInternals['run'];

/** `run` is what zod asks of a schema for each value (zod 4, `zod/v4/core`, "Building on Zod"). */
function running<Schema extends z.ZodType>(schema: Schema, run: Run): Schema {
  const copy = schema.clone();
  copy._zod.run = run;
  return copy;
}

/** Long lists by the JSON that they are stored as. */
const stored = new WeakMap<object, string>();

const unreadable: ProxyHandler<never[]> = {
  get() {
    throw new Error('This list is put into an answer as it is stored, and read by nobody.');
  },
};

/**
 * A list that was stored as JSON. To read and write down megabytes of it keeps everybody waiting, so a long one goes into
 * the answer as it is (`writeAnswer`), and cannot be read.
 */
export function storedList<Item>(json: string): Item[] {
  const list = new Proxy<Item[]>([], unreadable);
  stored.set(list, json);
  return list;
}

/** Whether it can be put into an answer, and nothing else. */
export function isStored(value: unknown): boolean {
  return typeof value === 'object' && value !== null && stored.has(value);
}

// The dashboard loads this module as well: nothing of Node, and nothing that a page without TLS lacks.
const nonce = crypto.getRandomValues(new Uint32Array(4)).join('-');
const marks = new RegExp(`"${nonce}:(\\d+)"`, 'g');

/**
 * An answer as JSON, in the pieces that make it up: it or the items of a page may hold lists as they were stored. `write` is for
 * what is beside them.
 */
export function writeAnswer(answer: unknown, write: (rest: unknown) => string = JSON.stringify): string[] {
  const lists: string[] = [];
  const rest = withMarks(answer, lists);
  if (lists.length === 0) return [write(answer)];
  const parts = write(rest).split(marks);
  return parts.map((part, index) => (index % 2 === 0 ? part : (lists[Number(part)] ?? '')));
}

/** The same with a mark in place of each stored list. */
function withMarks(answer: unknown, lists: string[]): unknown {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return answer;
  const entries = Object.entries(answer).map(([key, value]: [string, unknown]) => {
    const json = typeof value === 'object' && value !== null ? stored.get(value) : undefined;
    if (json !== undefined) return [key, `${nonce}:${lists.push(json) - 1}`];
    return [key, key === 'data' && Array.isArray(value) ? value.map((item) => withMarks(item, lists)) : value];
  });
  return Object.fromEntries(entries);
}
