import { describe, expect, it } from 'vitest';
import { defaultRubric } from '../../src/domain/profiles/default-rubric.ts';
import { scoreCall } from '../support/score-call.ts';
import { call, score } from './corpus.ts';
import { UNREAD_CALLS } from './languages/unread.ts';
import { CALLS } from './rubric-cases.ts';

describe('how much of a call was judged', () => {
  it('is all of it where every check that applies has an answer', () => {
    expect(score(CALLS.GOOD_CALL)).toMatchObject({ judgedShare: 1, needsReviewCount: 0 });
  });

  it.each(Object.entries(UNREAD_CALLS))(
    'is too little for a score in a language that is not read: %s',
    (tag, script) => {
      const { transcript, durationMs } = call(script);
      const scorecard = scoreCall({ transcript: { ...transcript, language: tag }, durationMs, rubric: defaultRubric });
      expect(scorecard).toMatchObject({ qualityScore: null, complianceStatus: 'needs_review', improvements: [] });
      expect(scorecard.judgedShare).toBeLessThan(0.1);
      expect(scorecard.needsReviewCount).toBeGreaterThan(8);
      expect(scorecard.summary).toMatch(/There is no score yet: \d+ checks are left to a person/);
    },
  );

  it('is enough where the profile asks for no more', () => {
    const { transcript, durationMs } = call(UNREAD_CALLS.fr);
    const rubric = { ...defaultRubric, judgedShareMin: 0.05 };
    expect(scoreCall({ transcript: { ...transcript, language: 'fr' }, durationMs, rubric }).qualityScore).toBe(100);
  });

  it('is nothing, and no score is missed, where no agent speaks', () => {
    const { transcript, durationMs } = call('C: Hello? Is anybody there?');
    const scorecard = scoreCall({ transcript, durationMs, rubric: defaultRubric });
    expect(scorecard).toMatchObject({ qualityScore: null, judgedShare: null, needsReviewCount: 0 });
  });
});
