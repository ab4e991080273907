/** In the user's time zone and locale. */
const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const shortDate = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const number = new Intl.NumberFormat();
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 });
const money = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD', maximumFractionDigits: 2 });

export const formatDateTime = (value: Date): string => dateTime.format(value);
export const formatDate = (value: Date): string => date.format(value);
/** For a day such as `2026-01-31`, which has no time zone. */
export const formatDay = (day: string): string => shortDate.format(new Date(`${day}T12:00:00`));
export const formatNumber = (value: number): string => number.format(value);
/** For a share from 0 to 1. */
export const formatPercent = (share: number): string => percent.format(share);
/** Rounded down, so that only the whole is 100 %. */
export const formatShare = (share: number): string => `${Math.floor(share * 100 + 1e-9)} %`;
export const formatMoney = (amount: number): string => money.format(amount);

const bytes = ['byte', 'kilobyte', 'megabyte', 'gigabyte'].map(
  (unit) =>
    new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'short', maximumSignificantDigits: 3 }),
);

/** `4.2 MB`, in steps of 1,024. */
export function formatBytes(size: number): string {
  const step = Math.min(bytes.length - 1, Math.floor(Math.log2(Math.max(1, size)) / 10));
  return bytes[step]?.format(size / 1024 ** step) ?? '';
}

/** Today's times as times, others as dates. */
export function formatWhen(value: Date): string {
  const isToday = value.toDateString() === new Date().toDateString();
  return isToday ? time.format(value) : shortDate.format(value);
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** "3 hours ago"; beyond a month, the date. */
export function formatAgo(value: Date, now = Date.now()): string {
  const distanceMs = value.getTime() - now;
  if (Math.abs(distanceMs) > 30 * 86_400_000) return formatDate(value);
  for (const [unit, unitMs] of units) {
    if (Math.abs(distanceMs) >= unitMs) return relative.format(Math.round(distanceMs / unitMs), unit);
  }
  return relative.format(0, 'second');
}

/** `1:05` or `1:02:05`. */
export function formatClock(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const tail = `${String(rest).padStart(2, '0')}`;
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}

/** A day in the user's time zone, `2026-01-31`. */
export function dayOf(value: Date): string {
  const pad = (part: number): string => String(part).padStart(2, '0');
  return `${value.getFullYear()}-${pad(value.getMonth() + 1)}-${pad(value.getDate())}`;
}

export function isPast(value: Date, now = Date.now()): boolean {
  return value.getTime() < now;
}

export function daysFromNow(days: number, now = Date.now()): Date {
  return new Date(now + days * 86_400_000);
}
