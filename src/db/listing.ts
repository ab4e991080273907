import { and, asc, desc, eq, gte, is, lte, sql, type SQL } from 'drizzle-orm';
import { PgColumn, type PgSelect } from 'drizzle-orm/pg-core';
import { pageWindow, type Order, type PageRequest } from '../lib/paging.ts';
import { parsePeriod, type GivenPeriod } from '../lib/timestamp.ts';

/**
 * Nulls last, ties broken by id, worded as the indexes are: a `desc nulls last` index serves only that order, and an
 * ascending one is read backwards only if nulls are not mentioned.
 */
export function sortedBy(column: PgColumn | SQL, id: PgColumn | SQL, order: Order): SQL[] {
  const direction = order === 'asc' ? asc : desc;
  if (is(column, PgColumn) && column.notNull) return [direction(column), direction(id)];
  return [sql`${direction(column)} nulls last`, sql`${direction(id)} nulls last`];
}

type Sorting = { by: PgColumn | SQL; id: PgColumn | SQL };

/** One page of a query, in the requested order. */
export function paged<Query extends PgSelect>(query: Query, page: PageRequest & { order: Order }, { by, id }: Sorting) {
  const { limit, offset } = pageWindow(page);
  return query
    .orderBy(...sortedBy(by, id, page.order))
    .limit(limit)
    .offset(offset);
}

/** Created within the period, both ends included; no condition without a period. */
export function inPeriod(column: PgColumn, given: GivenPeriod): SQL | undefined {
  const { from, to } = parsePeriod(given);
  return and(from && gte(column, from), to && lte(column, to));
}

/** No condition without a value. */
export function equals<Column extends PgColumn>(
  column: Column,
  value: Column['_']['data'] | undefined,
): SQL | undefined {
  return value === undefined ? undefined : eq(column, value);
}

/** Sorts names regardless of case. */
export function withoutCase(column: PgColumn | SQL): SQL {
  return sql`lower(${column})`;
}
