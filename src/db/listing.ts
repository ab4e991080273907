import { and, asc, desc, eq, gte, is, lte, sql, type Placeholder, type SQL } from 'drizzle-orm';
import { PgColumn, type PgSelect } from 'drizzle-orm/pg-core';
import type { Position } from '../lib/cursor.ts';
import { validationError } from '../lib/errors.ts';
import { pageWindow, positionOf, type ListRequest, type Order } from '../lib/paging.ts';
import { isStorable } from '../lib/storable.ts';
import { earliestInstant, latestInstant, parsePeriod, type GivenPeriod } from '../lib/timestamp.ts';

/**
 * Nulls last, ties broken by id, worded as the indexes are: a `desc nulls last` index serves only that order, and an
 * ascending one is read backwards only if nulls are not mentioned.
 */
export function sortedBy(column: PgColumn | SQL, id: PgColumn | SQL, order: Order): SQL[] {
  const direction = order === 'asc' ? asc : desc;
  if (is(column, PgColumn) && column.notNull) return [direction(column), direction(id)];
  return [sql`${direction(column)} nulls last`, sql`${direction(id)} nulls last`];
}

type Sorting = { by: PgColumn | SQL; id: PgColumn | SQL; kind?: Kind };
type Listing = { where: SQL | undefined; page: ListRequest; sorting: Sorting };

/** One page of a query that has no condition yet, in the requested order: by number, or after a cursor. */
export function paged<Query extends PgSelect>(query: Query, { where, page, sorting }: Listing) {
  const { by, id, kind = kindOf(by) } = sorting;
  const { limit, offset } = pageWindow(page);
  const position = positionOf(page);
  const after = position && afterPosition({ by, id, kind, order: page.order }, operandsOf(position, kind));
  return query
    .where(and(where, after))
    .orderBy(...sortedBy(by, id, page.order))
    .limit(limit)
    .offset(offset);
}

/** The type in which the values of a sort key are compared. */
export type Kind = 'instant' | 'text' | 'caseless' | 'integer' | 'real' | 'double' | 'numeric';

const casts = {
  instant: sql.raw('timestamptz'),
  text: sql.raw('text'),
  caseless: sql.raw('text'),
  integer: sql.raw('integer'),
  real: sql.raw('real'),
  double: sql.raw('float8'),
  numeric: sql.raw('numeric'),
} satisfies Record<Kind, SQL>;

/** A position as text. Throws VALIDATION_ERROR for what no item of the list could have. */
export function operandsOf({ value, id }: Position, kind: Kind): { value: string | null; id: string } {
  if ((value !== null && !isOfKind(value, kind)) || !isStorable(id)) {
    throw validationError('cursor', 'This is no cursor of this list.');
  }
  return { value: value instanceof Date ? value.toISOString() : value === null ? null : String(value), id };
}

type Key = { by: PgColumn | SQL; id: PgColumn | SQL; kind: Kind; order: Order };
type Operands = { value: string | Placeholder | null; id: string | Placeholder };

/** What comes after a position in the order of `sortedBy`. A key that is never null is compared as the index has it. */
export function afterPosition({ by, id, kind, order }: Key, after: Operands): SQL {
  const beyond = sql.raw(order === 'asc' ? '>' : '<');
  if (after.value === null) return sql`(${by} is null and ${id} ${beyond} ${after.id}::text)`;
  const given = sql`${after.value}::text::${casts[kind]}`;
  const value = kind === 'caseless' ? sql`lower(${given})` : given;
  const row = sql`(${by}, ${id}) ${beyond} (${value}, ${after.id}::text)`;
  return is(by, PgColumn) && by.notNull ? row : sql`(${row} or ${by} is null)`;
}

function isOfKind(value: NonNullable<Position['value']>, kind: Kind): boolean {
  switch (kind) {
    case 'instant':
      return value instanceof Date && value >= earliestInstant && value <= latestInstant;
    case 'text':
    case 'caseless':
      return typeof value === 'string' && isStorable(value);
    case 'integer':
      return Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31;
    case 'real':
    case 'double':
    case 'numeric':
      return typeof value === 'number' && Math.abs(value) < 1e15;
    default:
      return kind satisfies never;
  }
}

/** Expressions are names without case unless their list says otherwise. */
export function kindOf(by: PgColumn | SQL): Kind {
  if (!is(by, PgColumn)) return 'caseless';
  const type = by.getSQLType();
  if (type.startsWith('timestamp')) return 'instant';
  if (type === 'double precision') return 'double';
  return type === 'real' || type === 'integer' || type === 'text' ? type : 'numeric';
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
