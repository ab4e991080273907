import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Metrics } from '../../src/model/scorecard.ts';
import { defaultRubric } from '../../src/domain/profiles/default-rubric.ts';
import { scoreCall } from '../support/score-call.ts';
import { type Line, transcriptOf } from './corpus.ts';

fc.configureGlobal({ seed: 20_261_122 });

const durationMs = 120_000;
const metricsOf = (lines: Line[]): Metrics =>
  scoreCall({ transcript: transcriptOf(lines), durationMs, rubric: defaultRubric }).metrics;

const says = (role: Line['role'], text: string, startMs: number, lengthMs: number): Line => {
  return { role, text, startMs, endMs: startMs + lengthMs };
};
const tenWords = 'we have looked at your order and it is fine';

describe('words a minute', () => {
  it('leave out what has no time of its own', () => {
    const timed = [says('agent', tenWords, 0, 4000), says('agent', tenWords, 6000, 4000)];
    expect(metricsOf(timed).wordsPerMinute.agent).toBe(150);
    const untimed = Array.from({ length: 30 }, (_, at) => says('agent', tenWords, 10_000 + at * 10, 0));
    expect(metricsOf([...timed, ...untimed]).wordsPerMinute.agent).toBe(150);
    expect(metricsOf(untimed).wordsPerMinute.agent).toBeNull();
  });

  it('leave out a stretch too short for its words', () => {
    const lines = [says('agent', tenWords, 0, 4000), says('agent', tenWords, 6000, 40)];
    expect(metricsOf(lines).wordsPerMinute.agent).toBe(150);
  });

  it('are not doubled where a stretch is there twice', () => {
    const lines = [says('agent', tenWords, 0, 4000), says('agent', tenWords, 0, 4000)];
    expect(metricsOf(lines).wordsPerMinute.agent).toBe(150);
  });
});

describe('measurements of any segments', () => {
  const line = fc
    .record({
      role: fc.constantFrom('agent' as const, 'customer' as const, 'unknown' as const, 'ivr' as const),
      text: fc.constantFrom(tenWords, 'yes', 'how can i help you', '', '[noise]', 'one two three four five six'),
      startMs: fc.nat({ max: durationMs }),
      lengthMs: fc.oneof(fc.nat({ max: 5000 }), fc.constantFrom(0, 1, durationMs, -400)),
    })
    .map(({ role, text, startMs, lengthMs }) => says(role, text, startMs, lengthMs));

  it('are what a call can have, whatever the order, overlaps and lengths', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const { talkTimeMs, talkRatio, nonTalkTimeMs, longestMonologueMs, wordsPerMinute } = metricsOf(lines);
        for (const pace of Object.values(wordsPerMinute)) expect(pace ?? 0).toBeLessThanOrEqual(600);
        const latestMs = Math.max(durationMs, ...lines.map(({ endMs }) => endMs));
        for (const ms of [...Object.values(talkTimeMs), nonTalkTimeMs, longestMonologueMs]) {
          expect(ms).toBeGreaterThanOrEqual(0);
          expect(ms).toBeLessThanOrEqual(latestMs);
        }
        expect(Math.abs((talkRatio ?? 0) - 0.5)).toBeLessThanOrEqual(0.5);
      }),
      { numRuns: 150 },
    );
  });

  it('of 20,000 segments are the same in any order', () => {
    const lines = Array.from({ length: 20_000 }, (_, at) =>
      says(at % 2 ? 'agent' : 'customer', 'yes of course', at * 1000, 900),
    );
    const { sentiment: _, ...measured } = metricsOf(lines.toReversed());
    expect(measured).toMatchObject({ wordsPerMinute: { agent: 200, customer: 200 }, longestMonologueMs: 900 });
  });
});
