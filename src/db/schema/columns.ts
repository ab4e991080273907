import { customType, text, timestamp } from 'drizzle-orm/pg-core';

/** Milliseconds are all that the API shows, so only they are stored: paging by time never loses a row to rounding. */
export function instant(name: string) {
  return timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });
}

export function createdAt() {
  return instant('created_at').notNull().defaultNow();
}

export function updatedAt() {
  return instant('updated_at').notNull().defaultNow();
}

export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** First column of every tenant table: row-level security is keyed on it. */
export function orgId() {
  return text('org_id').notNull();
}
