import { and, asc, desc, gte, is, lte, sql, type SQL } from 'drizzle-orm';
import { PgColumn } from 'drizzle-orm/pg-core';
import type { Order } from '../lib/paging.ts';
import { parsePeriod, type GivenPeriod } from '../lib/timestamp.ts';

/**
 * Nulls last and ids breaking ties, in the words of the indexes: one that was made `desc nulls last` serves nothing else,
 * and one in ascending order is read backwards only where nulls are not spoken of.
 */
export function sortedBy(column: PgColumn | SQL, id: PgColumn | SQL, order: Order): SQL[] {
  const direction = order === 'asc' ? asc : desc;
  if (is(column, PgColumn) && column.notNull) return [direction(column), direction(id)];
  return [sql`${direction(column)} nulls last`, sql`${direction(id)} nulls last`];
}

/** Created within the period, ends included; no condition where none is given. */
export function inPeriod(column: PgColumn, given: GivenPeriod): SQL | undefined {
  const { from, to } = parsePeriod(given);
  return and(from && gte(column, from), to && lte(column, to));
}

/** Names are sorted as people look for them. */
export function withoutCase(column: PgColumn | SQL): SQL {
  return sql`lower(${column})`;
}
