import { describe, expect, it } from 'vitest';
import { daysOf, isTimeZone, periodBefore, periodOf, stretchesOf } from '../../src/domain/overview/period.ts';

const iso = ({ from, until }: { from: Date; until: Date }) => [from.toISOString(), until.toISOString()];
const given = (from: string, to: string, timeZone = 'UTC') => periodOf({ from, to, timeZone });

/** In January. */
const offsetOf = (timeZone: string): string =>
  ({ 'Asia/Kathmandu': '+05:45', 'Pacific/Chatham': '+13:45', 'Australia/Eucla': '+08:45' })[timeZone] ?? 'Z';

describe('a period', () => {
  it.each([
    ['UTC', '2026-01-31T00:00:00.000Z', '2026-02-03T00:00:00.000Z'],
    ['Europe/Berlin', '2026-01-30T23:00:00.000Z', '2026-02-02T23:00:00.000Z'],
    ['America/New_York', '2026-01-31T05:00:00.000Z', '2026-02-03T05:00:00.000Z'],
    ['Asia/Kolkata', '2026-01-30T18:30:00.000Z', '2026-02-02T18:30:00.000Z'],
  ])('of dates is their whole days in %s', (timeZone, from, until) => {
    expect(iso(given('2026-01-31', '2026-02-02', timeZone))).toEqual([from, until]);
  });

  it('of times reaches to the half hours around them', () => {
    const period = given('2026-01-31T10:10:00Z', '2026-01-31T12:00:00+01:00', 'Europe/Berlin');
    expect(iso(period)).toEqual(['2026-01-31T10:00:00.000Z', '2026-01-31T11:30:00.000Z']);
  });

  it('has days as long as the clocks make them', () => {
    const march = given('2026-03-28', '2026-03-30', 'Europe/Berlin');
    expect(daysOf(march, 'Europe/Berlin').map(({ date, from }) => [date, from.toISOString()])).toEqual([
      ['2026-03-28', '2026-03-27T23:00:00.000Z'],
      ['2026-03-29', '2026-03-28T23:00:00.000Z'],
      ['2026-03-30', '2026-03-29T22:00:00.000Z'],
    ]);
    expect(march.until.toISOString()).toBe('2026-03-30T22:00:00.000Z');
    // Where midnight is skipped, the day begins an hour later.
    const cairo = given('2026-04-24', '2026-04-24', 'Africa/Cairo');
    expect(iso(cairo)).toEqual(['2026-04-23T22:00:00.000Z', '2026-04-24T21:00:00.000Z']);
    expect(daysOf(cairo, 'Africa/Cairo')).toHaveLength(1);
  });

  it.each([
    ['Asia/Kathmandu', '2026-01-30T18:00:00.000Z', '2026-01-31T18:00:00.000Z'],
    ['Pacific/Chatham', '2026-01-30T10:00:00.000Z', '2026-01-31T10:00:00.000Z'],
    ['Australia/Eucla', '2026-01-30T15:00:00.000Z', '2026-01-31T15:00:00.000Z'],
  ])('of one date is one day where midnight lies within a half hour: %s', (timeZone, from, until) => {
    const day = given('2026-01-31', '2026-01-31', timeZone);
    expect(iso(day)).toEqual([from, until]);
    expect(daysOf(day, timeZone).map(({ date }) => date)).toEqual(['2026-01-31']);
    const month = given('2026-01-01', '2026-01-31', timeZone);
    expect(daysOf(month, timeZone).map(({ date }) => Number(date.slice(8)))).toEqual(
      Array.from({ length: 31 }, (_, n) => n + 1),
    );
    const times = given(
      `2026-01-31T00:00:00${offsetOf(timeZone)}`,
      `2026-01-31T23:59:59.999${offsetOf(timeZone)}`,
      timeZone,
    );
    expect(iso(times)).toEqual([from, until]);
  });

  it('is compared with as much time before', () => {
    const [from, until] = iso(periodBefore(given('2026-03-28', '2026-03-30', 'Europe/Berlin')));
    expect([from, until]).toEqual(['2026-03-25T00:00:00.000Z', '2026-03-27T23:00:00.000Z']);
  });

  it('is counted by whole days, and by half hours at its ends', () => {
    const stretches = stretchesOf(given('2026-01-31', '2026-02-02', 'Europe/Berlin'));
    expect(stretches.map(({ grain, ...period }) => [grain, ...iso(period)])).toEqual([
      ['slot', '2026-01-30T23:00:00.000Z', '2026-01-31T00:00:00.000Z'],
      ['day', '2026-01-31T00:00:00.000Z', '2026-02-02T00:00:00.000Z'],
      ['slot', '2026-02-02T00:00:00.000Z', '2026-02-02T23:00:00.000Z'],
    ]);
    expect(stretchesOf(given('2026-01-31', '2026-01-31')).map(({ grain }) => grain)).toEqual(['day']);
    const short = stretchesOf(given('2026-01-31T22:00:00Z', '2026-02-01T01:00:00Z'));
    expect(short.map(({ grain }) => grain)).toEqual(['slot']);
    expect(stretchesOf(given('2026-01-31T10:00:00Z', '2026-01-31T11:00:00Z'))).toHaveLength(1);
  });

  it('knows the names of time zones', () => {
    expect(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires'].every(isTimeZone)).toBe(true);
    expect(['', 'Nowhere', 'Europe/Berlin; drop'].some(isTimeZone)).toBe(false);
  });
});
