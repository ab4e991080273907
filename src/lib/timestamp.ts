import { z } from 'zod';

/** A `Date` in the domain and over RPC, an ISO 8601 UTC string with milliseconds over REST. */
export const Timestamp = z.date().meta({ override: { type: 'string', format: 'date-time' } });

/** The range that Postgres and ISO 8601 both write with four digits. */
export const earliestInstant = new Date('0001-01-01T00:00:00.000Z');
export const latestInstant = new Date('9999-12-31T23:59:59.999Z');
const outOfRange = { message: 'Expected a time from the years 0001 to 9999 (UTC)', abort: true };

const bareDate = /^\d{4}-\d{2}-\d{2}$/;
const seconds = String.raw`:[0-5]\d(?:\.\d+)?`;
const withSeconds = z.regexes.datetime({ offset: true }).source;
/** zod's own pattern, with the seconds optional. */
const dateTime = new RegExp(withSeconds.replace(seconds, `(?:${seconds})?`));
const dateText = z.iso.date();

/**
 * An ISO 8601 date-time with an offset, seconds optional, in the range that can be stored. The document says `date-time`,
 * which generated clients have a type for, and so the pattern that goes with it (RFC 3339): seconds included.
 */
export const DateTimeText = z
  .string()
  .refine((text) => dateTime.test(text), {
    error: ({ input }) => hintOf(input) ?? 'Expected an ISO 8601 date-time with an offset (2026-01-31T12:00:00Z)',
    abort: true,
  })
  .refine(isStorable, outOfRange)
  .meta({ format: 'date-time', pattern: withSeconds });

/** An ISO 8601 date or date-time, seconds optional. Used for the ends of a period; see `parsePeriod` for what a bare date means. */
export const DateOrTime = z
  .string()
  .refine((text) => dateTime.test(text) || dateText.safeParse(text).success, {
    error: ({ input }) => hintOf(input) ?? 'Expected an ISO 8601 date (2026-01-31) or date-time (2026-01-31T12:00:00Z)',
    abort: true,
  })
  .refine(isStorable, outOfRange)
  .meta({ pattern: `${z.regexes.date.source}|${dateTime.source}`, examples: ['2026-01-31'] });

const spacedOffset = /^\d{4}-\d{2}-\d{2}T[\d:.,]+ \d{2}:?\d{2}$/;

/** In the query of an address a `+` means a space, so that `+02:00` arrives as ` 02:00`. */
function hintOf(text: unknown): string | undefined {
  if (typeof text !== 'string' || !spacedOffset.test(text)) return undefined;
  return 'There is a space before the offset. In an address, write its `+` as `%2B`.';
}

/** A period as requested. */
export type GivenPeriod = { from?: string | undefined; to?: string | undefined };
export type Period = { from?: Date | undefined; to?: Date | undefined };

const dayMs = 86_400_000;

/**
 * Both ends are inclusive. A bare date means the start of that day in `from` and its end in `to` (UTC, to the
 * millisecond).
 */
export function parsePeriod({ from, to }: GivenPeriod): Period {
  return {
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(bareDate.test(to) ? Date.parse(to) + dayMs - 1 : to),
  };
}

/** For queries with a period: an end before the start is an error, not an empty result. */
export function isOrderedPeriod(query: GivenPeriod): boolean {
  const { from, to } = parsePeriod(query);
  return !from || !to || from <= to;
}

export const unorderedPeriod = { path: ['from'], message: '`from` is after `to`' };

function isStorable(text: string): boolean {
  const date = new Date(text);
  return date >= earliestInstant && date <= latestInstant;
}

export function isStartOfDay(date: Date): boolean {
  return date.getTime() % dayMs === 0;
}

export function isEndOfDay(date: Date): boolean {
  return (date.getTime() + 1) % dayMs === 0;
}

export function toDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}
