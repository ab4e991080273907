import { z } from 'zod';
import { DateOrTime, isOrderedPeriod, parsePeriod, unorderedPeriod, type GivenPeriod } from './timestamp.ts';

const page = z.int().min(1).default(1).meta({ description: 'Page number, from 1.' });
const pageSize = z.int().min(1).max(100).default(20).meta({ description: 'Items a page, at most 100.' });
const Order = z.enum(['asc', 'desc']);

export type Order = z.infer<typeof Order>;
export type PageRequest = { page: number; pageSize: number };
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
      ...filters,
      from: DateOrTime.optional().meta({ description: `${dated} at or after. A bare date begins its day (UTC).` }),
      to: DateOrTime.optional().meta({ description: `${dated} at or before. A bare date ends its day (UTC).` }),
      sort: z.enum(sorts).default(sorts[0]).meta({ description: 'What the list is ordered by.' }),
      order: Order.default(order).meta({ description: 'Direction of the sort. Nulls come last; ids break ties.' }),
    })
    .refine((query) => isOrdered(query), unorderedPeriod);
}

/** For queries of `listInput`, which always has both. */
function isOrdered(query: object): boolean {
  return isOrderedPeriod(query as GivenPeriod);
}

const PageMeta = z
  .object({
    page: z.int(),
    pageSize: z.int(),
    total: z.int().meta({ description: 'Exact number of items over all pages.' }),
  })
  .meta({ id: 'PageMeta' });

export type Page<T> = { data: T[]; meta: { page: number; pageSize: number; total: number } };

export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), meta: PageMeta });
}

export function toPage<T>(data: T[], total: number, { page, pageSize }: PageRequest): Page<T> {
  return { data, meta: { page, pageSize, total } };
}

type Listed<Sort extends string> = { createdAt: Date } & Record<Sort, Date | string | number>;

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
  return toPage(found.slice(offset, offset + limit), found.length, request);
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
