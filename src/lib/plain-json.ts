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

/**
 * In answers: a list that we have stored ourselves. The document shows its items, and nobody walks them once more: `run` is
 * what zod asks of a schema for each value (zod 4, `zod/v4/core`, "Building on Zod").
 */
export function listAsStored<Item extends z.ZodType>(item: Item): z.ZodArray<Item> {
  const list = z.array(item);
  const { run } = list._zod;
  list._zod.run = (payload, ctx) => (Array.isArray(payload.value) ? payload : run(payload, ctx));
  return list;
}
