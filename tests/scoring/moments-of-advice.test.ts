import { describe, expect, it } from 'vitest';
import { serviceDeskCalls } from '../../src/demo/calls/service-desk.ts';
import { defaultRubric } from '../../src/domain/profiles/default-rubric.ts';
import type { Scorecard } from '../../src/model/scorecard.ts';
import type { Transcript } from '../../src/model/transcript.ts';
import { scoreCall } from '../support/score-call.ts';
import { call } from './corpus.ts';

const WORD_MS = 360;

/** As a recogniser has it: every word with its time. */
function withWords(transcript: Transcript): Transcript {
  const segments = transcript.segments.map((segment) => ({
    ...segment,
    words: segment.text.split(' ').map((text, index) => ({
      text,
      startMs: segment.startMs + index * WORD_MS,
      endMs: segment.startMs + (index + 1) * WORD_MS,
      confidence: 0.9,
    })),
  }));
  return { ...transcript, segments };
}

function heard(script: string): Scorecard {
  const { transcript, durationMs } = call(script);
  return scoreCall({ transcript: withWords(transcript), durationMs, rubric: defaultRubric });
}

const clock = (ms: number): string =>
  `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`;
const timesIn = (texts: readonly string[]): string[] => texts.flatMap((text) => text.match(/\d+:\d\d/g) ?? []);

/** The moments that the evidence of this rule or check shows. */
function shownBy({ checks, complianceFindings }: Scorecard, key: string): string[] {
  const found = [...checks, ...complianceFindings].find((each) => each.key === key);
  return [...new Set(found?.evidence.map(({ startMs }) => clock(startMs)))];
}

describe('the moments that advice names', () => {
  it('are those of the evidence, for every number that is read out', () => {
    const lines = serviceDeskCalls.find(({ externalId }) => externalId === 'demo-card-aloud')?.lines ?? [];
    const scorecard = heard(lines.map(({ by, text }) => `${by === 'agent' ? 'A' : 'C'}: ${text}`).join('\n'));
    const shown = shownBy(scorecard, 'compliance.sensitive');
    expect(shown).toHaveLength(2);
    const advice = scorecard.improvements.filter((text) => text.startsWith('Never say'));
    expect(timesIn(advice)).toEqual(shown);
    expect(timesIn(scorecard.actionItems)).toEqual(shown.slice(0, 1));
  });

  it('are those of the evidence where the words stand deep in a long turn', () => {
    const long = 'I have looked at your account for quite a while now and I can see each and every one of the payments';
    const scorecard = heard(`
      A: Good morning, Acme support, this is Ann. How can I help you?
      C: Hello, I would like to know when my refund of forty dollars arrives.
      A: ${long} that you have made with us since the spring of last year. You are an idiot, you know that. Do not tell anybody about this call.
      C: That is not what I wanted to hear.
      A: Goodbye.`);
    for (const key of ['professionalism.respect', 'compliance.pressure']) {
      const shown = shownBy(scorecard, key);
      expect(shown).not.toEqual([]);
      expect(timesIn(scorecard.improvements)).toEqual(expect.arrayContaining(shown));
    }
  });

  it('are left out where nothing was heard', () => {
    const { transcript, durationMs } = call('A: Good morning, Acme support, this is Ann.\nC: Hello.\nA: Goodbye.');
    const question = 'Does the agent say which language is spoken?';
    const rule = { key: 'own.language', title: 'Language', severity: 'low', kind: 'model', question } as const;
    const rubric = { ...defaultRubric, compliance: [{ ...rule, enabled: true, detector: null }] };
    const { actionItems } = scoreCall({ transcript, durationMs, rubric });
    expect(actionItems).toContain('Listen to the recording to decide on “Language”.');
  });
});
