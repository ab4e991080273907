import { describe, expect, it } from 'vitest';
import { redactTranscript } from '../../src/redaction/redact-transcript.ts';
import { readCase, type Case } from './marked.ts';
import { moreSentences } from './more-sentences.ts';
import { sentences } from './sentences.ts';

const precisionMin = 0.98;
const recallMin = 0.96;
const linesMin = 330;

const groups = Object.entries({ ...sentences, ...moreSentences }).map(([name, lines]) => ({
  name,
  cases: lines.map(readCase),
}));

describe.each(groups)('$name', ({ cases }) => {
  it.each(cases.filter(({ isKnownMiss }) => !isKnownMiss))('$line', ({ segments, expected }) => {
    expect(redactTranscript(segments).segments.map(({ text }) => text)).toEqual(expected);
  });
});

describe('the table as a whole', () => {
  const counts = groups.flatMap(({ cases }) => cases).map(count);
  const sum = (key: keyof Counts): number => counts.reduce((total, each) => total + each[key], 0);

  it('takes out nearly all that is marked, and nearly nothing else', () => {
    const recall = sum('hits') / (sum('hits') + sum('misses'));
    const precision = sum('hits') / (sum('hits') + sum('extras'));
    expect(counts.length).toBeGreaterThan(linesMin);
    expect(recall).toBeGreaterThanOrEqual(recallMin);
    expect(precision).toBeGreaterThanOrEqual(precisionMin);
  });

  it.each(groups.flatMap(({ cases }) => cases).filter(({ isKnownMiss }) => isKnownMiss))(
    'is honest about a miss of the rules: $line',
    ({ segments, expected }) => {
      const { segments: redacted } = redactTranscript(segments, { names: false }, null);
      expect(redacted.map(({ text }) => text)).not.toEqual(expected);
    },
  );
});

type Counts = { hits: number; misses: number; extras: number };

/** A mark counts as found where all of it is taken out; what is taken out and touches no mark is extra. */
function count({ segments, marks }: Case): Counts {
  const { spans } = redactTranscript(segments);
  const indexOf = (id: string): number => segments.findIndex((segment) => segment.id === id);
  const hits = marks.filter(({ kind, segment, from, to }) =>
    spans.some(
      (span) => span.kind === kind && indexOf(span.segmentId) === segment && span.from <= from && span.to >= to,
    ),
  ).length;
  const extras = spans.filter(
    (span) =>
      !marks.some(({ segment, from, to }) => indexOf(span.segmentId) === segment && span.from < to && from < span.to),
  ).length;
  return { hits, misses: marks.length - hits, extras };
}
