import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HeardUtterance, HeardWord } from '../../src/providers/speech/interface.ts';
import { toSegments, type ToSegmentsOptions } from '../../src/providers/speech/segments.ts';
import { slownessOfPrograms } from '../support/slowness.ts';

fc.configureGlobal({ seed: 20_261_122 });

const durationMs = 60_000;
const pauseMsMax = 700;

/** Before the recording, in it, after it, and where no recording ever was. */
const time = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: durationMs }) },
  { weight: 2, arbitrary: fc.double({ min: -5_000, max: durationMs + 5_000, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(-1e15, -1, 0, durationMs, durationMs + 1, 1e15) },
);
const length = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 600 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, -300, 20_000, 1e15) },
);
const spelling = fc.oneof(
  { weight: 8, arbitrary: fc.stringMatching(/^[a-z]{1,6}$/) },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', 'a b', '\0', 'half \ud83d', '\udc00', '¿Qué?', '\n') },
);
const word = fc
  .record({ text: spelling, startMs: time, length, confidence: fc.option(fc.double({ min: 0, max: 1, noNaN: true })) })
  .map(({ length: lengthMs, ...rest }): HeardWord => ({ ...rest, endMs: rest.startMs + lengthMs }));

const utterance = fc
  .record({
    channel: fc.nat({ max: 2 }),
    voice: fc.constantFrom(null, '0', '1'),
    words: fc.array(word, { maxLength: 12 }),
    own: fc.option(spelling),
    startMs: time,
    length,
    isOrdered: fc.boolean(),
  })
  .map(({ own, words, isOrdered, startMs, length: lengthMs, ...rest }): HeardUtterance => {
    const inTime = isOrdered ? words.toSorted((a, b) => a.startMs - b.startMs) : words;
    const text = own ?? inTime.map((each) => each.text).join(' ');
    return { ...rest, text, words: inTime, startMs, endMs: startMs + lengthMs, confidence: null };
  });
const utterances = fc.array(utterance, { maxLength: 25 });
const layout = fc.constantFrom('separate' as const, 'mixed' as const);

const plain = (text: string): string => text.replaceAll('\0', '').toWellFormed().replaceAll(/\s+/g, ' ').trim();

function wordsOf(all: readonly HeardUtterance[]): string[] {
  const heard = all
    .filter(({ text }) => plain(text) !== '')
    .flatMap(({ words }) => words.map(({ text }) => plain(text)));
  return heard.filter((text) => text !== '').toSorted();
}

function expectSound(segments: readonly HeardUtterance[]): void {
  for (const [at, { startMs, endMs, text, words }] of segments.entries()) {
    expect([startMs, endMs].every(Number.isInteger)).toBe(true);
    expect(startMs).toBeGreaterThanOrEqual(segments[at - 1]?.startMs ?? 0);
    expect(endMs).toBeGreaterThanOrEqual(startMs);
    expect(endMs).toBeLessThanOrEqual(durationMs);
    expect(text.trim()).not.toBe('');
    expect(text.isWellFormed() && !text.includes('\0')).toBe(true);
    for (const [index, each] of words.entries()) {
      expect([each.startMs, each.endMs].every(Number.isInteger)).toBe(true);
      expect(each.startMs).toBeGreaterThanOrEqual(words[index - 1]?.startMs ?? startMs);
      expect(each.endMs).toBeGreaterThanOrEqual(each.startMs);
      expect(each.endMs).toBeLessThanOrEqual(endMs);
      expect(each.text.isWellFormed() && !each.text.includes('\0') && each.text.trim() === each.text).toBe(true);
    }
  }
}

describe('segments of any utterances', () => {
  it('are in order and on the clock, can be stored, and hold every word once', () => {
    fc.assert(
      fc.property(utterances, layout, (heard, where) => {
        const segments = toSegments(structuredClone(heard), { durationMs, layout: where });
        expectSound(segments);
        expect(wordsOf(segments)).toEqual(wordsOf(heard));
      }),
      { numRuns: 400 },
    );
  });

  it('say their words in the order in which they are said', () => {
    const spelled = fc.array(utterance, { maxLength: 15 }).map((all) =>
      all.map((each) => {
        const words = each.words.filter(({ text }) => /^[a-z]+$/.test(text));
        return { ...each, words, text: words.map(({ text }) => text).join(' ') };
      }),
    );
    fc.assert(
      fc.property(spelled, layout, (heard, where) => {
        for (const { text, words } of toSegments(heard, { durationMs, layout: where }))
          expect(text).toBe(words.map((each) => each.text).join(' '));
      }),
      { numRuns: 300 },
    );
  });

  it('are the same in whatever order utterances come', () => {
    const distinct = fc.uniqueArray(utterance, { selector: ({ startMs }) => startMs, maxLength: 15 });
    fc.assert(
      fc.property(distinct, layout, (heard, where) => {
        const options: ToSegmentsOptions = { durationMs, layout: where };
        const key = ({ channel, voice, startMs, text }: HeardUtterance): string =>
          `${channel} ${voice} ${startMs} ${text}`;
        const [one, other] = [heard, heard.toReversed()].map((each) => toSegments(each, options).map(key).toSorted());
        expect(one).toEqual(other);
      }),
      { numRuns: 200 },
    );
  });

  it('of several people on one track never hold words of two utterances', () => {
    fc.assert(
      fc.property(utterances, (heard) => {
        const named = heard.map((each, at) => ({
          ...each,
          text: `u${at}`,
          words: each.words.map((w) => ({ ...w, text: `u${at}` })),
        }));
        for (const { words } of toSegments(named, { durationMs, layout: 'mixed' }))
          expect(new Set(words.map(({ text }) => text)).size).toBeLessThanOrEqual(1);
      }),
      { numRuns: 200 },
    );
  });
});

/** Utterances of ten words without a pause, as a monologue of four hours has them. */
function monologue(minutes: number): HeardUtterance[] {
  const stepMs = 400;
  return Array.from({ length: (minutes * 60_000) / stepMs / 10 }, (_, at): HeardUtterance => {
    const words = Array.from({ length: 10 }, (_word, index): HeardWord => {
      const startMs = (at * 10 + index) * stepMs;
      return { text: `w${at * 10 + index}`, startMs, endMs: startMs + 380, confidence: 0.9 };
    });
    const [startMs, endMs] = [words[0]?.startMs ?? 0, words.at(-1)?.endMs ?? 0];
    return {
      channel: 0,
      voice: null,
      startMs,
      endMs,
      text: words.map(({ text }) => text).join(' '),
      confidence: null,
      words,
    };
  });
}

describe('long recordings', () => {
  it('of 240 minutes without a pause take no time to speak of', async () => {
    const heard = monologue(240);
    const limitMs = 700 * (await slownessOfPrograms());
    const startedAt = performance.now();
    const [segment, ...more] = toSegments(heard, { durationMs: 14_400_000, layout: 'separate' });
    expect(performance.now() - startedAt).toBeLessThan(limitMs);
    expect(more).toEqual([]);
    expect(segment?.words).toHaveLength(36_000);
    expect(segment?.text.split(' ')).toHaveLength(36_000);
  });

  it.each(['separate', 'mixed'] as const)('of 20,000 utterances keep them all: %s', (where) => {
    const heard = Array.from({ length: 20_000 }, (_, at): HeardUtterance => {
      const startMs = at * (pauseMsMax + 400);
      const words = [{ text: `u${at}`, startMs, endMs: startMs + 300, confidence: null }];
      return { channel: 0, voice: null, startMs, endMs: startMs + 300, text: `u${at}`, confidence: null, words };
    });
    const segments = toSegments(heard.toReversed(), { durationMs: 30_000_000, layout: where });
    expect(segments.map(({ text }) => text)).toEqual(heard.map(({ text }) => text));
  });
});
