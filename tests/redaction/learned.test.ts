import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { redactTranscript } from '../../src/redaction/redact-transcript.ts';
import { marginals, STEPS_SIZE } from '../../src/redaction/tagger/chain.ts';
import { LABELS } from '../../src/redaction/tagger/labels.ts';
import { toSegment } from './marked.ts';
import { measure, precisionOf, readMarked, recallOf, sumScores } from './measuring.ts';

/** Sets that the tagger has learned from: they hold that its weights are in place, and say nothing of unseen calls. */
const learned = ['first-sealed-set', ...['en', 'de', 'es', 'ru'].map((language) => `third-set-${language}`)];

describe.each(learned)('%s', (name) => {
  const calls = readMarked(readFileSync(new URL(`${name}.jsonl`, import.meta.url), 'utf8'));

  it('loses more of its secrets than by the rules alone, and hardly more of the rest', () => {
    const score = (tagger?: null) => sumScores(measure(calls, { names: true, tagger }).outcomes);
    const [rules, both] = [score(null), score()];
    expect(recallOf(both)).toBeGreaterThan((recallOf(rules) ?? 1) + 0.1);
    expect(recallOf(both)).toBeGreaterThanOrEqual(0.9);
    expect(precisionOf(both)).toBeGreaterThanOrEqual((precisionOf(rules) ?? 1) - 0.01);
  });
});

it('silences a secret that only the tagger finds for as long as it is said', () => {
  const said = ['what do i type on the laptop', 'it says tulip crane eight eight one five on the sticker'];
  const segments = said.map((text, index) =>
    toSegment({ text, speaker: index === 0 ? 'A' : 'C', index, startMs: index * 5000 }),
  );
  expect(redactTranscript(segments, { names: false }, null).spans).toEqual([]);
  const { redactions, spans } = redactTranscript(segments, { names: false });
  expect(spans.length).toBeGreaterThan(0);
  for (const [index, { words, from, to }] of spans.entries()) {
    const inside = segments[1]?.words.slice(words?.first, words?.end) ?? [];
    expect(segments[1]?.text.slice(from, to)).toBe(inside.map(({ text }) => text).join(' '));
    expect(redactions[index]?.startMs).toBeLessThanOrEqual(inside[0]?.startMs ?? 0);
    expect(redactions[index]?.endMs).toBe(inside.at(-1)?.endMs);
  }
});

describe('marginals', () => {
  const size = LABELS.length;

  it('are those of all ways through a turn', () => {
    const scores = Float32Array.from({ length: 3 * size }, (_, at) => Math.sin(at * 7.3) * 2);
    const steps = Float64Array.from({ length: STEPS_SIZE }, (_, at) => Math.exp(Math.cos(at * 3.1)));
    const expected = new Float64Array(3 * size);
    let sum = 0;
    const step = (from: number, to: number): number => steps[from * (size + 1) + to] ?? 0;
    const own = (at: number, label: number): number => Math.exp(scores[at * size + label] ?? 0);
    for (let a = 0; a < size; a += 1) {
      for (let b = 0; b < size; b += 1) {
        for (let c = 0; c < size; c += 1) {
          const way = step(size, a) * own(0, a) * step(a, b) * own(1, b) * step(b, c) * own(2, c) * step(c, size);
          sum += way;
          for (const [at, label] of [a, b, c].entries())
            expected[at * size + label] = (expected[at * size + label] ?? 0) + way;
        }
      }
    }
    for (const [at, value] of marginals(scores, steps).entries())
      expect(value).toBeCloseTo((expected[at] ?? 0) / sum, 9);
  });
});
