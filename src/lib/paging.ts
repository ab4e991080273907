import { z } from 'zod';
import { isCursorOf, readCursor, writeCursor, type Position } from './cursor.ts';
import { DateOrTime, isOrderedPeriod, parsePeriod, unorderedPeriod, type GivenPeriod } from './timestamp.ts';

const page = z.int().min(1).default(1).meta({ description: 'Page number, from 1.' });
const pageSize = z.int().min(1).max(100).default(20).meta({ description: 'Items a page, at most 100.' });
const notMade = 'This is no cursor of this list, or it was made with other filters or in another order.';
const cursorText = z
  .string()
  .min(1, { error: notMade, abort: true })
  .max(2000, notMade)
  .regex(/^[A-Za-z0-9_-]+$/, { error: notMade, abort: true });
const cursor = cursorText.optional().meta({
  description:
    '`meta.nextCursor` of the page before, with the same filters and order: the page after it. Instead of `page`.',
});
const Order = z.enum(['asc', 'desc']);

export type Order = z.infer<typeof Order>;
export type PageRequest = { page: number; pageSize: number; cursor?: string | undefined };
/** What a list request asks for, apart from the list's own filters. `from` and `to` as they were given. */
export type ListRequest<Sort extends string = string> = PageRequest & GivenPeriod & { sort: Sort; order: Order };

const valuesMax = 20;

/** A filter that takes several values: `a,b` in an address. Any of them will do. */
export function severalOf<Item extends z.ZodType>(item: Item) {
  return z.array(item).min(1).max(valuesMax).optional();
}

type ListOptions<Sorts> = {
  /** Fields that items can be sorted by, the default first. Queries map them to columns. */
  sorts: Sorts;
  /** The default order. */
  order: Order;
  /** The date that `from` and `to` apply to. */
  dated?: string;
};

/**
 * Input of a list: the parameters that every list has, plus its own filters. There is no other way to declare a list.
 */
export function listInput<const Sorts extends readonly [string, ...string[]], Filters extends z.core.$ZodLooseShape>(
  { sorts, order, dated = 'Created' }: ListOptions<Sorts>,
  filters: Filters,
) {
  return z
    .strictObject({
      page,
      pageSize,
      cursor,
      ...filters,
      from: DateOrTime.optional().meta({
        description: `${dated} at or after, not later than \`to\`. A bare date begins its day (UTC).`,
      }),
      to: DateOrTime.optional().meta({ description: `${dated} at or before. A bare date ends its day (UTC).` }),
      sort: z.enum(sorts).default(sorts[0]).meta({ description: 'What the list is ordered by.' }),
      order: Order.default(order).meta({ description: 'Direction of the sort. Nulls come last; ids break ties.' }),
    })
    .refine((query) => isOrdered(query), unorderedPeriod)
    .refine((query) => isOfList(query), {
      path: ['cursor'],
      message: notMade,
    })
    .refine((query) => isFirst(query), { path: ['page'], message: 'Send `page` or `cursor`, not both.' });
}

/** For queries of `listInput`, which always has both. */
function isOrdered(query: object): boolean {
  return isOrderedPeriod(query as GivenPeriod);
}

/** For queries of `listInput`. */
function isOfList(query: object): boolean {
  const { cursor: given } = query as PageRequest;
  return given === undefined || isCursorOf(given, scopeOf(query));
}

function isFirst(query: object): boolean {
  const { page: number, cursor: given } = query as PageRequest;
  return given === undefined || number === 1;
}

/** Where the page before has ended; undefined for pages by number. */
export function positionOf({ cursor: given }: PageRequest): Position | undefined {
  return given === undefined ? undefined : readCursor(given);
}

/** All that decides what a list holds, and in which order. */
function scopeOf(request: object): string {
  const entries = Object.entries(request).filter(
    ([name, value]) => !['page', 'pageSize', 'cursor'].includes(name) && value !== undefined,
  );
  return JSON.stringify(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const PageMeta = z
  .object({
    page: z.int(),
    pageSize: z.int(),
    total: z.int().meta({ description: 'Exact number of items over all pages.' }),
    nextCursor: z.string().nullable().meta({
      description: 'Send it as `cursor` for the page after this one. Null where the list ends.',
    }),
  })
  .meta({ id: 'PageMeta' });

export type Page<T> = {
  data: T[];
  meta: { page: number; pageSize: number; total: number; nextCursor: string | null };
};

export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), meta: PageMeta });
}

/**
 * A page of items. `rows` are what they were made of, with the id and the field that the list is sorted by, where the
 * items do not have them.
 */
export function toPage<T extends object>(
  data: T[],
  total: number,
  request: ListRequest,
  rows: readonly object[] = data,
): Page<T> {
  const { page: number, pageSize: size } = request;
  return { data, meta: { page: number, pageSize: size, total, nextCursor: nextCursorOf(rows, total, request) } };
}

function nextCursorOf(rows: readonly object[], total: number, request: ListRequest): string | null {
  const { page: number, pageSize: size, cursor: given } = request;
  const last = rows.at(-1) as Record<string, unknown> | undefined;
  if (!last || rows.length < size || (given === undefined && number * size >= total)) return null;
  const value = (last[request.sort] ?? null) as Position['value'];
  return writeCursor({ value, id: String(last['id']) }, scopeOf(request));
}

type Listed<Sort extends string> = { id: string; createdAt: Date } & Record<Sort, Date | string | number>;

/** Pages a small list that is already in memory, as the database would. Equal items are sorted by id. */
export function listItems<Sort extends string, T extends Listed<Sort>>(
  items: readonly T[],
  request: ListRequest<Sort>,
): Page<T> {
  const { from, to } = parsePeriod(request);
  const { limit, offset } = pageWindow(request);
  const ascending = items
    .filter(({ createdAt }) => (!from || createdAt >= from) && (!to || createdAt <= to))
    .toSorted((a, b) => compare(a[request.sort], b[request.sort]));
  const found = request.order === 'asc' ? ascending : ascending.toReversed();
  const position = positionOf(request);
  const start = position ? found.findIndex(({ id }) => id === position.id) + 1 : offset;
  return toPage(found.slice(start, start + limit), found.length, request);
}

function compare(left: Date | string | number, right: Date | string | number): number {
  if (typeof left === 'string' && typeof right === 'string')
    return compareText(left.toLowerCase(), right.toLowerCase());
  return Number(left) - Number(right);
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}

/** Limit and offset in SQL. The offset stays below bigint for every safe integer `page`. */
export function pageWindow({ page, pageSize }: PageRequest): { limit: number; offset: number } {
  return { limit: pageSize, offset: (page - 1) * pageSize };
}
