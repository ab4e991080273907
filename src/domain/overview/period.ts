const slotMs = 30 * 60_000;
const minuteMs = 60_000;
const dayMs = 86_400_000;
const bareDate = /^\d{4}-\d{2}-\d{2}$/;

export const periodMaxDays = 366;

/** `until` is exclusive. Both are whole half hours, the unit in which calls are counted. */
export type Period = { from: Date; until: Date };
export type GivenPeriod = { from: string; to: string; timeZone: string };

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** A bare date is a whole day in the time zone. */
export function periodOf({ from, to, timeZone }: GivenPeriod): Period {
  const start = bareDate.test(from) ? startOfDay(from, timeZone) : Date.parse(from);
  const end = bareDate.test(to) ? startOfDay(nextDay(to), timeZone) : Date.parse(to) + 1;
  // If midnight lies within a half hour (Asia/Kathmandu), that half hour belongs to the new day.
  const isMidnight = end === startOfDay(dateIn(new Date(end), timeZone), timeZone);
  return { from: new Date(floor(start, slotMs)), until: new Date((isMidnight ? floor : ceil)(end, slotMs)) };
}

/** The period of the same length that ends where this one begins. */
export function periodBefore({ from, until }: Period): Period {
  return { from: new Date(2 * from.getTime() - until.getTime()), until: from };
}

export type Day = { date: string; from: Date };

/** The days of the period, oldest first, each with its first half hour. */
export function daysOf({ from, until }: Period, timeZone: string): Day[] {
  const days: Day[] = [];
  const inFirstSlot = new Date(from.getTime() + slotMs - 1);
  for (let date = dateIn(inFirstSlot, timeZone); ; date = nextDay(date)) {
    const start = new Date(floor(startOfDay(date, timeZone), slotMs));
    if (start >= until) return days;
    days.push({ date, from: start });
  }
}

export type Stretch = Period & { grain: 'slot' | 'day' };

/** The period as whole days (UTC), plus the half hours before and after them. */
export function stretchesOf({ from, until }: Period): Stretch[] {
  const firstDay = ceil(from.getTime(), dayMs);
  const lastDay = floor(until.getTime(), dayMs);
  if (firstDay >= lastDay) return [{ grain: 'slot', from, until }];
  const stretches: Stretch[] = [
    { grain: 'slot', from, until: new Date(firstDay) },
    { grain: 'day', from: new Date(firstDay), until: new Date(lastDay) },
    { grain: 'slot', from: new Date(lastDay), until },
  ];
  return stretches.filter((stretch) => stretch.from < stretch.until);
}

export function isWholeDay({ from }: Day): boolean {
  return from.getTime() % dayMs === 0;
}

/** Midnight, or the first moment of a day whose midnight is skipped by a clock change. */
function startOfDay(date: string, timeZone: string): number {
  const utc = Date.parse(date);
  // Twice, since the offset at the first guess may differ.
  const guess = utc - offsetMs(utc, timeZone);
  const start = utc - offsetMs(guess, timeZone);
  return dateIn(new Date(start), timeZone) === date ? start : guess;
}

const offsets = new Map<string, number>();
const offsetsMax = 50_000;
const wholeMinutesSince = Date.UTC(1973, 0);

/**
 * The time zone's offset from UTC. Cached, since a year of days needs a thousand of them, which takes longer than
 * reading all the data. Offsets have been whole minutes everywhere since 1973.
 */
function offsetMs(at: number, timeZone: string): number {
  if (at < wholeMinutesSince) return findOffsetMs(at, timeZone);
  const key = `${timeZone} ${floor(at, minuteMs)}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const found = findOffsetMs(at, timeZone);
  if (offsets.size >= offsetsMax) offsets.clear();
  offsets.set(key, found);
  return found;
}

function findOffsetMs(at: number, timeZone: string): number {
  const parts = formatter(timeZone).formatToParts(at);
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value ?? 0);
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return local - floor(at, 1000);
}

function dateIn(at: Date, timeZone: string): string {
  return new Date(at.getTime() + offsetMs(at.getTime(), timeZone)).toISOString().slice(0, 10);
}

const formatters = new Map<string, Intl.DateTimeFormat>();
const formattersMax = 100;

function formatter(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const field = 'numeric' as const;
  const fields = { year: field, month: field, day: field, hour: field, minute: field, second: field };
  const made = new Intl.DateTimeFormat('en-u-hc-h23', { timeZone, ...fields });
  if (formatters.size >= formattersMax) formatters.clear();
  formatters.set(timeZone, made);
  return made;
}

function nextDay(date: string): string {
  return new Date(Date.parse(date) + dayMs).toISOString().slice(0, 10);
}

function floor(value: number, step: number): number {
  return Math.floor(value / step) * step;
}

function ceil(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}
