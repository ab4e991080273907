import { describe, expect, it } from 'vitest';
import { defaultRubric } from '../../src/domain/profiles/default-rubric.ts';
import { scoreCall } from '../support/score-call.ts';
import { answersOf, CHECK_KEYS, readAnswers, storedCalls, storedTranscript } from './corpus.ts';
import { EXPECTED } from './expected.ts';

type Mode = 'text' | 'asr';

/** Where the rules engine and a reader part on these calls, and why. Anything not listed here fails the test. */
const KNOWN_DISAGREEMENTS: Record<Mode, Record<string, string>> = {
  text: {},
  asr: {
    '0224c92b64d144d4 greeting.name':
      '"my name is robert" was recognised as "continue with randall": no trace of an introduction is left',
    '0c7b8cd8a7374ffc greeting.opens': '"hello this is" was recognised as "how long does": no greeting word is left',
  },
};

function disagreements(mode: Mode, secondOpinion: 'tells' | 'decides' = 'tells'): string[] {
  return storedCalls().flatMap((stored) => {
    const scorecard = scoreCall({
      ...storedTranscript(stored, mode),
      rubric: defaultRubric,
      agentName: stored.agentName,
      secondOpinion,
    });
    const answers = answersOf(scorecard);
    const expected = readAnswers(EXPECTED[stored.sid] ?? '');
    return CHECK_KEYS.filter((key, index) => answers[key] !== expected[index]).map((key) =>
      answers[key] === 'needs_review' ? `${stored.sid} ${key} is left open` : `${stored.sid} ${key}`,
    );
  });
}

describe('the thirteen shared calls', () => {
  it.each([
    ['text', 0.9],
    ['asr', 0.8],
  ] as const)('agrees with the reader on %s by the rules in at least %d of the answers', (mode, share) => {
    const count = storedCalls().length * CHECK_KEYS.length;
    const found = disagreements(mode);
    expect(count).toBe(13 * 16);
    expect(1 - found.length / count).toBeGreaterThanOrEqual(share);
    expect(found).toEqual(Object.keys(KNOWN_DISAGREEMENTS[mode]));
  });

  it.each(['text', 'asr'] as const)('agrees in the answers given on %s, and gives nine of ten', (mode) => {
    const found = disagreements(mode, 'decides');
    const open = found.filter((each) => each.endsWith('is left open'));
    expect(open.length / (13 * 16)).toBeLessThan(0.1);
    const known = Object.keys(KNOWN_DISAGREEMENTS[mode]);
    expect(found.filter((each) => !open.includes(each) && !known.includes(each))).toEqual([]);
  });

  it.each(['text', 'asr'] as const)('finds no breach of compliance in %s: there is none', (mode) => {
    for (const stored of storedCalls()) {
      const { complianceStatus, complianceFindings } = scoreCall({
        ...storedTranscript(stored, mode),
        rubric: defaultRubric,
      });
      expect({ sid: stored.sid, complianceStatus, answers: complianceFindings.map(({ answer }) => answer) }).toEqual({
        sid: stored.sid,
        complianceStatus: 'passed',
        answers: ['pass', 'pass'],
      });
    }
  });
});
