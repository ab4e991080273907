import type { BillingSearch } from './search.ts';

const dayMs = 86_400_000;
const daysMaxByDay = 92;

export type Period = { from: string; to: string; granularity: 'day' | 'month' };

/** The period in the address, by default the current month (UTC). Long periods are shown by month. */
export function periodOf({ from, to }: BillingSearch, now = new Date()): Period {
  const today = now.toISOString().slice(0, 10);
  const last = to ?? (from !== undefined && from > today ? from : today);
  const first = from ?? `${last.slice(0, 7)}-01`;
  const days = (Date.parse(last) - Date.parse(first)) / dayMs;
  return { from: first, to: last, granularity: days < daysMaxByDay ? 'day' : 'month' };
}

/** Every day or month of the period, including those without usage. */
export function datesOf({ from, to, granularity }: Period): string[] {
  const dates: string[] = [];
  const date = new Date(`${from}T00:00:00Z`);
  if (granularity === 'month') date.setUTCDate(1);
  const end = Date.parse(`${to}T00:00:00Z`);
  while (date.getTime() <= end) {
    dates.push(date.toISOString().slice(0, granularity === 'day' ? 10 : 7));
    if (granularity === 'day') date.setUTCDate(date.getUTCDate() + 1);
    else date.setUTCMonth(date.getUTCMonth() + 1);
  }
  return dates;
}

export type Preset = 'this-month' | 'last-month' | 'days-90' | 'year';

/** The search parameters of a preset. */
export function presetPeriod(preset: Preset, now = new Date()): BillingSearch {
  const day = (date: Date): string => date.toISOString().slice(0, 10);
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  switch (preset) {
    case 'this-month':
      return {};
    case 'last-month':
      return { from: day(new Date(Date.UTC(year, month - 1, 1))), to: day(new Date(Date.UTC(year, month, 0))) };
    case 'days-90':
      return { from: day(new Date(now.getTime() - 89 * dayMs)), to: day(now) };
    case 'year':
      return { from: day(new Date(Date.UTC(year, month - 11, 1))), to: day(now) };
    default:
      return preset satisfies never;
  }
}
