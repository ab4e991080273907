import { describe, expect, it } from 'vitest';
import {
  DateOrTime,
  DateTimeText,
  isEndOfDay,
  isOrderedPeriod,
  isStartOfDay,
  parsePeriod,
  toDay,
} from '../../src/lib/timestamp.ts';

describe('parsePeriod', () => {
  it('begins a bare date with its first millisecond and ends it with its last, in UTC', () => {
    expect(parsePeriod({ from: '2024-02-29', to: '2024-02-29' })).toEqual({
      from: new Date('2024-02-29T00:00:00.000Z'),
      to: new Date('2024-02-29T23:59:59.999Z'),
    });
  });

  it('takes a time as it stands', () => {
    expect(parsePeriod({ from: '2026-01-31T12:00:00+05:30', to: '2026-01-31T12:00:00Z' })).toEqual({
      from: new Date('2026-01-31T06:30:00.000Z'),
      to: new Date('2026-01-31T12:00:00.000Z'),
    });
  });

  it('leaves an end open that is not given', () => {
    expect(parsePeriod({})).toEqual({ from: undefined, to: undefined });
  });
});

describe('isOrderedPeriod', () => {
  it('takes one day, one millisecond and open ends', () => {
    const periods = [
      {},
      { from: '2026-01-01' },
      { to: '2026-01-01' },
      { from: '2026-01-01', to: '2026-01-01' },
      { from: '2026-01-01T12:00:00Z', to: '2026-01-01' },
      { from: '2026-01-01T12:00:00Z', to: '2026-01-01T12:00:00Z' },
    ];
    expect(periods.every(isOrderedPeriod)).toBe(true);
  });

  it('refuses an end before the beginning, by as much as a millisecond or a time zone', () => {
    const periods = [
      { from: '2026-01-02', to: '2026-01-01' },
      { from: '2026-01-01T00:00:00.001Z', to: '2026-01-01T00:00:00Z' },
      { from: '2026-01-01T00:00:00Z', to: '2026-01-01T00:00:00+01:00' },
    ];
    expect(periods.some(isOrderedPeriod)).toBe(false);
  });
});

describe('DateOrTime', () => {
  it.each([
    '2026-01-31',
    '2024-02-29',
    '2026-01-31T12:00:00Z',
    '2026-01-31T12:00:00.123456Z',
    '0001-01-01',
    '9999-12-31',
  ])('takes %s', (text) => {
    expect(DateOrTime.safeParse(text).success).toBe(true);
  });

  it.each([
    '',
    'today',
    '2026-1-1',
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '31.01.2026',
    '20260131',
    '2026-01-31 12:00:00Z',
    '2026-01-31T12:00:00',
    '2026-01-31T24:00:00Z',
    '0000-01-01',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '+010000-01-01',
    '2026-01-31T12:00:00Z; drop',
  ])('refuses %j, with one reason', (text) => {
    const parsed = DateOrTime.safeParse(text);
    expect(parsed.error?.issues).toHaveLength(1);
  });
});

describe('DateTimeText', () => {
  it('takes a time with its offset, and no bare date', () => {
    const given = ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00+14:00', '2026-01-31', '0000-01-01T00:00:00Z'];
    expect(given.map((text) => DateTimeText.safeParse(text).success)).toEqual([true, true, false, false]);
  });
});

describe('a date-time', () => {
  it('needs no seconds', () => {
    for (const text of ['2026-11-22T10:00Z', '2026-11-22T10:00+02:00']) {
      expect([DateTimeText.safeParse(text).success, DateOrTime.safeParse(text).success]).toEqual([true, true]);
    }
    expect(new Date(DateTimeText.parse('2026-11-22T10:00+02:00'))).toEqual(new Date('2026-11-22T08:00:00.000Z'));
  });

  it.each(['2026-11-22T10:00 02:00', '2026-11-22T10:00:00.000 05:30'])(
    'of which a `+` became a space is refused with a hint: %s',
    (text) => {
      for (const schema of [DateTimeText, DateOrTime]) {
        const issues = schema.safeParse(text).error?.issues ?? [];
        expect(issues.map(({ message }) => message)).toEqual([
          'There is a space before the offset. In an address, write its `+` as `%2B`.',
        ]);
      }
    },
  );
});

describe('the ends of a day', () => {
  it('are told in UTC, before 1970 as well', () => {
    for (const day of ['1969-12-31', '1970-01-01', '2026-03-29', '0001-01-01', '9999-12-31']) {
      const [start, end] = [new Date(`${day}T00:00:00.000Z`), new Date(`${day}T23:59:59.999Z`)];
      expect([isStartOfDay(start), isEndOfDay(end), toDay(start), toDay(end)]).toEqual([true, true, day, day]);
      expect([isEndOfDay(start), isStartOfDay(end)]).toEqual([false, false]);
      expect(isStartOfDay(new Date(start.getTime() + 1))).toBe(false);
      expect(isEndOfDay(new Date(end.getTime() - 1))).toBe(false);
    }
  });
});
