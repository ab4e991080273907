import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { measure, precisionOf, readMarked, recallOf, sumScores } from './measuring.ts';

/** 440 invented utterances, marked by somebody who had not read the detectors; these were made with them. */
const utterances = readMarked(readFileSync(new URL('learning-set.jsonl', import.meta.url), 'utf8'));
const { outcomes } = measure(utterances, { names: true });
const recallMin = 0.97;
const precisionMin = 0.98;

describe.each([...new Set(outcomes.map(({ kind }) => kind))])('%s', (kind) => {
  it('is found where it is marked, and nowhere else', () => {
    const score = sumScores(outcomes.filter((outcome) => outcome.kind === kind));
    expect(recallOf(score)).toBeGreaterThanOrEqual(recallMin);
    // One of 25 is more than two in a hundred.
    expect(score.extras <= (kind === 'name' ? 3 : 1) || (precisionOf(score) ?? 1) >= precisionMin).toBe(true);
  });
});

it('takes out nothing of a call about something else', () => {
  const harmless = measure(
    utterances.filter(({ turns }) => !turns.some(({ text }) => text.includes('⟦'))),
    { names: true },
  );
  expect(harmless.extras).toEqual([]);
});

it('takes a name only where that is asked for', () => {
  const names = utterances.filter(({ turns }) => turns.some(({ text }) => text.includes('⟦name:')));
  const { misses } = measure(names, { names: false });
  const marks = names.flatMap(({ turns }) => turns.flatMap(({ text }) => text.match(/⟦name:/g) ?? []));
  // Some stand in an answer or an address that goes as a whole.
  expect(misses.filter(({ kind }) => kind === 'name').length).toBeGreaterThan(marks.length * 0.75);
});
