import { sql } from 'drizzle-orm';
import { customType, text } from 'drizzle-orm/pg-core';

/**
 * Milliseconds are all that the API shows, so only they are stored: paging by time never loses a row to rounding. Not
 * drizzle's own column, which leaves the first century to `Date`.
 */
export const instant = customType<{ data: Date; driverData: string }>({
  dataType: () => 'timestamp (3) with time zone',
  toDriver: (date) => date.toISOString(),
  fromDriver: readInstant,
});

const early = /^(0\d{3}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}(?:\.\d+)?)([+-])(\d{2})(?::(\d{2}))?(?::(\d{2}))?$/;

/** `Date` reads what is not ISO 8601 as people write it, so that the year 50 would be 1950. */
function readInstant(text: string): Date {
  if (!text.startsWith('0')) return new Date(text);
  const [, day, time, sign, hours = 0, minutes = 0, seconds = 0] = early.exec(text) ?? [];
  const offsetMs = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000;
  return new Date(Date.parse(`${day}T${time}Z`) - (sign === '-' ? -offsetMs : offsetMs));
}

export function createdAt() {
  return instant('created_at')
    .notNull()
    .default(sql`now()`);
}

export function updatedAt() {
  return instant('updated_at')
    .notNull()
    .default(sql`now()`);
}

export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** First column of every tenant table: row-level security is keyed on it. */
export function orgId() {
  return text('org_id').notNull();
}
