import { describe, expect, it } from 'vitest';
import { findRepeats, type Ending, type Faults, type Span, type Use } from './support/doubles.ts';

/** Seconds into the run. */
const use = (by: string | null, at: number, until = at + 0.3): Use => ({
  what: 'a call',
  by,
  at: at * 1000,
  until: until * 1000,
});
const span = (from: number, to: number): Span => ({ from: from * 1000, to: to * 1000 });
const ending = (who: string, how: Ending['how'], from: number, to = from): Ending => ({ who, how, ...span(from, to) });

function reasonsOf(uses: Use[], faults: Partial<Faults>): (string | null)[] {
  return findRepeats(uses, { endings: [], outages: [], ...faults }).map(({ reason }) => reason);
}

describe('what the chaos run takes for an excuse', () => {
  it('is nothing to excuse where everything was done once', () => {
    expect(reasonsOf([use('one', 1), { ...use('two', 2), what: 'another call' }], {})).toEqual([]);
  });

  it.each<[string, Use[], Partial<Faults>, string]>([
    [
      'a kill while it was asked',
      [use('one', 1, 9), use('two', 7)],
      { endings: [ending('one', 'killed', 2)] },
      'killed before the answer',
    ],
    [
      'a kill right after the answer',
      [use('one', 1), use('two', 7)],
      { endings: [ending('one', 'killed', 1.4)] },
      'killed before the note',
    ],
    [
      'a kill long after the answer, with the database away all the time',
      [use('one', 1), use('two', 40)],
      { endings: [ending('one', 'killed', 30)], outages: [span(1.1, 31)] },
      'killed while the database was away',
    ],
    [
      'a stop with the database away',
      [use('one', 1), use('two', 20)],
      { endings: [ending('one', 'stopped', 2, 9)], outages: [span(1.1, 12)] },
      'stopped while the database was away',
    ],
    [
      'a stop that did not wait for the answer',
      [use('one', 1, 60), use('two', 20)],
      { endings: [ending('one', 'stopped', 2, 9)] },
      'stopped before the answer',
    ],
    [
      'the end of some process, where nothing shows who did it',
      [use(null, 1), use(null, 7)],
      { endings: [ending('one', 'killed', 1.4)] },
      'killed before the note',
    ],
  ])('%s', (_, uses, faults, reason) => {
    expect(reasonsOf(uses, faults)).toEqual([reason]);
  });

  it.each<[string, Use[], Partial<Faults>]>([
    ['two workers on the same work', [use('one', 1, 20), use('two', 6)], { endings: [ending('one', 'killed', 8)] }],
    ['the end of another process', [use('one', 1), use('two', 6)], { endings: [ending('three', 'killed', 2)] }],
    ['an end that came before', [use('one', 3), use('two', 6)], { endings: [ending('one', 'killed', 2)] }],
    ['an outage alone', [use('one', 1), use('one', 12)], { outages: [span(1.1, 11)] }],
    [
      'an answer that was thrown away long before the kill',
      [use('one', 1), use('two', 40)],
      { endings: [ending('one', 'killed', 30)], outages: [span(1.1, 8)] },
    ],
    [
      'an answer that a stop in order did not note',
      [use('one', 1), use('two', 6)],
      { endings: [ending('one', 'stopped', 2, 4)] },
    ],
    [
      'a request of a process that was told to end',
      [use('one', 4), use('two', 12)],
      { endings: [ending('one', 'stopped', 2, 9)], outages: [span(3, 12)] },
    ],
  ])('is not %s', (_, uses, faults) => {
    expect(reasonsOf(uses, faults)).toEqual([null]);
  });

  it('is each end once', () => {
    const endings = [ending('one', 'killed', 7)];
    expect(reasonsOf([use(null, 6.8), use(null, 6.9, 6.9), use(null, 8)], { endings })).toEqual([
      null,
      'killed before the note',
    ]);
    expect(reasonsOf([use(null, 6.8, 6.8), use(null, 7, 7), use(null, 7, 7)], { endings })).toEqual([
      'killed before the note',
      null,
    ]);
  });
});
