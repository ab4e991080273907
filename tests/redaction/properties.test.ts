import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeholderPattern } from '../../src/model/redaction.ts';
import { passesLuhn } from '../../src/redaction/checksums.ts';
import { redactText, redactTranscript } from '../../src/redaction/redact-transcript.ts';
import { toSegment } from './marked.ts';
import { moreSentences } from './more-sentences.ts';
import { sentences } from './sentences.ts';

fc.configureGlobal({ seed: 20_261_121 });

const marked = Object.values({ ...sentences, ...moreSentences })
  .flat()
  .map((line) => line.replaceAll(/\{\w+\|([^}]*)\}|^\?\s*|[AC]:/gu, '$1'));
const pieces = [...new Set(marked.flatMap((line) => line.split(/[\s|]+/)))];
const separators = ['', ' ', '-', '  ', '.', ' - ', '–', '\u00a0', '\u200b', ' . ', '(', ') '];

const word = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...pieces) },
  { weight: 2, arbitrary: fc.nat({ max: 99_999_999 }).map(String) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom('[card number]', '[PIN]', '٤١١١', '４１１１', '1111', '@', '+', '"', '\n') },
);
const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(' '));
const transcript = fc
  .array(fc.tuple(fc.oneof(text, fc.constantFrom(...marked)), fc.constantFrom('A', 'C')), { maxLength: 8 })
  .map((said) => said.map(([text, speaker], index) => toSegment({ text, speaker, index, startMs: index * 9_000 })));

describe('whatever is said', () => {
  it('gives stretches inside their segments, in order, with times inside them', () => {
    fc.assert(
      fc.property(transcript, (segments) => {
        const { spans, redactions } = redactTranscript(segments);
        expect(redactions).toHaveLength(spans.length);
        for (const { segmentId, from, to, startMs, endMs, words } of spans) {
          const segment = segments.find(({ id }) => id === segmentId);
          if (!segment) throw new Error('A stretch of no segment.');
          expect(from).toBeGreaterThanOrEqual(0);
          expect(to).toBeGreaterThan(from);
          expect(to).toBeLessThanOrEqual(segment.text.length);
          expect(startMs).toBeGreaterThanOrEqual(segment.startMs);
          expect(endMs).toBeLessThanOrEqual(segment.endMs);
          expect(words?.end ?? 1).toBeGreaterThan(words?.first ?? 0);
          expect(words?.end ?? 0).toBeLessThanOrEqual(segment.words.length);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('changes nothing when it is redacted again', () => {
    fc.assert(
      fc.property(transcript, (segments) => {
        const once = redactTranscript(segments).segments;
        const twice = redactTranscript(once);
        expect(twice.segments).toEqual(once);
        expect(twice.redactions).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('leaves no word among the words that the text no longer has', () => {
    fc.assert(
      fc.property(transcript, (segments) => {
        for (const { text, words } of redactTranscript(segments).segments) {
          for (const word of words) expect(lettersOf(text)).toContain(lettersOf(word.text));
        }
      }),
      { numRuns: 200 },
    );
  });
});

const card = fc
  .tuple(fc.integer({ min: 13, max: 19 }), fc.infiniteStream(fc.integer({ min: 0, max: 9 })))
  .map(([length, stream]) => withCheckDigit([...stream.take(length - 1)].join('')));

/** The figures in groups of any size, with anything between that is no letter. */
const grouped = fc
  .tuple(
    card,
    fc.array(fc.integer({ min: 1, max: 19 }), { minLength: 19, maxLength: 19 }),
    fc.constantFrom(...separators),
  )
  .map(([digits, sizes, separator]) => {
    const groups: string[] = [];
    let rest = digits;
    for (const size of sizes) {
      if (rest !== '') groups.push(rest.slice(0, size));
      rest = rest.slice(size);
    }
    return groups.join(separator);
  });

describe('a number of 13 to 19 figures that passes the checksum', () => {
  it('is taken out however it is grouped and whatever stands around it', () => {
    fc.assert(
      fc.property(grouped, fc.constantFrom(...marked), (number, around) => {
        const redacted = redactText(`${around} : ${number} : ${around}`);
        expect(redacted).not.toContain(number);
      }),
      { numRuns: 400 },
    );
  });

  it('is in no redacted text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          grouped.map((number) => `so ${number} it is`),
          fc.stringMatching(/^[\d .-]{0,60}$/),
        ),
        (said) => {
          expect(cardsIn(redactText(said))).toEqual([]);
        },
      ),
      { numRuns: 600 },
    );
  });
});

/** Rows of figures with nothing but separators between, whole, and their parts of whole groups of two or more. */
function cardsIn(redacted: string): string[] {
  return redacted.split(new RegExp(placeholderPattern, 'u')).flatMap((part) =>
    [...part.matchAll(/\d+(?:[\s\p{Pd}.]{1,3}\d+)*/gu)].flatMap(([row]) => {
      const groups = row.match(/\d+/g) ?? [];
      const parts = groups.flatMap((_, first) => groups.map((_, end) => groups.slice(first, end + 1)));
      return [groups, ...parts.filter((each) => each.every(({ length }) => length > 1))]
        .map((each) => each.join(''))
        .filter((digits) => digits.length >= 13 && digits.length <= 19 && passesLuhn(digits));
    }),
  );
}

function withCheckDigit(digits: string): string {
  const last = Array.from({ length: 10 }, (_, digit) => String(digit)).find((digit) => passesLuhn(digits + digit));
  return digits + (last ?? '');
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}@]/gu, '');
}
