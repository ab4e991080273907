import { describe, expect, it } from 'vitest';
import { defaultRubric } from '../../src/domain/profiles/default-rubric.ts';
import { findMoments } from '../../src/scoring/moments.ts';
import { scoreCall } from '../support/score-call.ts';
import { storedCalls, storedTranscript, transcriptOf } from './corpus.ts';

describe('the moments of a call', () => {
  it.each([
    ['text', 0],
    ['asr', 1],
  ] as const)(
    'have each interruption that the metrics count (%s of the shared calls: at least %d)',
    (mode, countMin) => {
      let count = 0;
      for (const stored of storedCalls()) {
        const call = storedTranscript(stored, mode);
        const { metrics } = scoreCall({ ...call, rubric: defaultRubric });
        const { interruptions } = findMoments(call.transcript.segments);
        const by = (party: string): number => interruptions.filter((each) => each.by === party).length;
        expect({ sid: stored.sid, agent: by('agent'), customer: by('customer') }).toEqual({
          sid: stored.sid,
          ...metrics?.interruptions,
        });
        count += interruptions.length;
      }
      expect(count).toBeGreaterThanOrEqual(countMin);
    },
  );

  it('have the silences of five seconds and more between the first and the last word, and no interruption by "okay"', () => {
    const { segments } = transcriptOf([
      { role: 'agent', startMs: 4_000, endMs: 8_000, text: 'Hello, how may I help you today?' },
      { role: 'customer', startMs: 7_000, endMs: 7_600, text: 'okay' },
      { role: 'customer', startMs: 12_900, endMs: 20_000, text: 'I have a question about my last invoice.' },
      { role: 'agent', startMs: 18_000, endMs: 21_000, text: 'Let me stop you there, which invoice is it?' },
      { role: 'customer', startMs: 26_000, endMs: 28_000, text: 'The one of March.' },
    ]);
    expect(findMoments(segments)).toEqual({
      interruptions: [{ by: 'agent', startMs: 18_000, endMs: 20_000 }],
      silences: [{ startMs: 21_000, endMs: 26_000 }],
    });
  });

  it('are none where nobody speaks', () => {
    expect(findMoments([])).toEqual({ interruptions: [], silences: [] });
  });
});
