import { describe, expect, it } from 'vitest';
import { defaultProfile, defaultRubric } from '../../src/domain/profiles/default-rubric.ts';
import type { Check } from '../../src/model/checks.ts';
import { Rubric } from '../../src/model/rubric.ts';
import { scoreCall } from '../support/score-call.ts';
import { call, CHECK_KEYS } from './corpus.ts';
import { CALLS } from './rubric-cases.ts';

const phraseCheck = {
  key: 'own.check',
  title: 'Says the magic word',
  weight: 1,
  kind: 'phrase',
  phrases: ['abracadabra'],
};
const own = (checks: unknown[], compliance: unknown[] = []): unknown => ({
  categories: [{ key: 'own', title: 'Own', weight: 1, checks }],
  compliance,
});

function issuesOf(rubric: unknown): string[] {
  const parsed = Rubric.safeParse(rubric);
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('the schema of a rubric', () => {
  it('holds the standard rubric with its fixed keys and weights', () => {
    expect(defaultProfile.name).toBe('Standard service call');
    expect(Rubric.parse(structuredClone(defaultRubric))).toEqual(defaultRubric);
    expect(defaultRubric.categories.map(({ key, weight }) => [key, weight])).toEqual([
      ['greeting', 15],
      ['problemResolution', 40],
      ['professionalism', 30],
      ['closing', 15],
    ]);
    const checks = defaultRubric.categories.flatMap((category): Check[] => category.checks);
    expect(checks.map(({ key }) => key)).toEqual([...CHECK_KEYS]);
    expect(checks.map(({ weight }) => weight)).toEqual([3, 2, 2, 3, 3, 2, 5, 2, 2, 5, 2, 1, 1, 2, 2, 2]);
    expect(checks.filter(({ critical }) => critical).map(({ key }) => key)).toEqual(['professionalism.respect']);
    expect(defaultRubric.compliance.map(({ key, severity, enabled }) => [key, severity, enabled])).toEqual([
      ['compliance.sensitive', 'high', true],
      ['compliance.pressure', 'medium', true],
      ['compliance.notice', 'low', false],
    ]);
  });

  it.each([
    [
      'a repeated check key',
      own([phraseCheck, phraseCheck]),
      'categories.0.checks.1.key: Another check already has the key "own.check".',
    ],
    [
      'checks without weight',
      own([{ ...phraseCheck, weight: 0 }]),
      'categories.0.checks: The checks of "own" have no weight.',
    ],
    ['an unknown kind', own([{ ...phraseCheck, kind: 'magic' }]), 'categories.0.checks.0.kind'],
    ['an unknown field', own([{ ...phraseCheck, colour: 'red' }]), 'categories.0.checks.0: Unrecognized key'],
    [
      'a phrase without words',
      own([{ ...phraseCheck, phrases: ['?!'] }]),
      'categories.0.checks.0.phrases.0: A phrase needs at least one word.',
    ],
    [
      'a phrase with NUL',
      own([{ ...phraseCheck, phrases: ['a\0b'] }]),
      'categories.0.checks.0.phrases.0: A phrase must not contain NUL.',
    ],
    ['a negative weight', own([{ ...phraseCheck, weight: -1 }]), 'categories.0.checks.0.weight'],
    [
      'limits that cannot be met',
      own([
        {
          key: 'm',
          title: 'M',
          weight: 1,
          kind: 'metric',
          limits: [{ metric: 'nonTalkSeconds', pass: { min: 5, max: 1 } }],
        },
      ]),
      'categories.0.checks.0.limits.0.pass: min must not exceed max or below.',
    ],
    ['no category', { categories: [], compliance: [] }, 'categories'],
    [
      'a repeated rule key',
      own(
        [phraseCheck],
        [1, 2].map(() => ({
          key: 'r',
          title: 'R',
          severity: 'low',
          kind: 'phrase',
          expect: 'absent',
          phrases: ['no way'],
        })),
      ),
      'compliance.1.key: Another compliance rule already has the key "r".',
    ],
  ])('refuses %s, and says where', (_, rubric, message) => {
    expect(issuesOf(rubric).join('\n')).toContain(message);
  });
});

describe('a rubric of one’s own', () => {
  const score = (rubric: unknown, script: string = CALLS.GOOD_CALL): ReturnType<typeof scoreCall> =>
    scoreCall({ ...call(script), rubric: Rubric.parse(rubric) });

  it('finds phrases with alternatives, gaps and recognition errors, and takes signs literally', () => {
    const found = (phrase: string, text: string): string | undefined =>
      score(own([{ ...phraseCheck, phrases: [phrase] }]), `A: ${text}`).checks[0]?.answer;
    expect(found('thank you for your loyalty/patience', 'Thank you so much for your patience')).toBe('pass');
    expect(found('our * offer', 'have you heard of our great summer offer')).toBe('pass');
    expect(found('our * offer', 'our prices are high and that is no joke of an offer')).toBe('fail');
    expect(found('check book', 'a new checkbook')).toBe('pass');
    expect(found('premium membership plan', 'the premium membershib plan')).toBe('pass');
    expect(found('(a+)+', 'a a a')).toBe('pass');
    expect(found('any.*', 'anything')).toBe('fail');
  });

  it('leaves to people what only a model can judge, and out of the score', () => {
    const check = {
      key: 'empathy',
      title: 'Shows empathy',
      weight: 9,
      kind: 'model',
      question: 'Does the agent show empathy?',
    };
    const scorecard = score(own([phraseCheck, check]));
    expect(scorecard.checks.map(({ answer, score: value }) => [answer, value])).toEqual([
      ['fail', 0],
      ['needs_review', null],
    ]);
    // A tenth of the weight is no score of the call.
    expect(Object.values(scorecard.categories)).toEqual([0]);
    expect(scorecard).toMatchObject({ qualityScore: null, judgedShare: 0.1, needsReviewCount: 1 });
    expect(scorecard.complianceStatus).toBe('not_applicable');
    expect(scorecard.improvements).toEqual([
      'The agent does not say the magic word in the call. Words that count, for example: “abracadabra”.',
    ]);
  });

  it('shows people no pattern with a gap as an example: a phrase that can be said, or none', () => {
    const adviceOn = (...phrases: string[]): string[] => score(own([{ ...phraseCheck, phrases }])).improvements;
    expect(adviceOn('why do/did you * return', 'reason for the/your return')).toEqual([
      'The agent does not say the magic word in the call. Words that count, for example: “reason for the return”.',
    ]);
    expect(adviceOn('why do/did you * return')).toEqual(['The agent does not say the magic word in the call.']);
  });

  it('says in plain words why a check does not apply', () => {
    const withheld = (appliesWhen: unknown): string | undefined =>
      score(own([{ ...phraseCheck, appliesWhen }])).checks[0]?.rationale;
    expect(withheld({ kind: 'phrase', phrases: ['xylophone'] })).toBe('Nothing said in the call makes this apply.');
    expect(withheld({ kind: 'phrase', expect: 'absent', role: 'anyone', phrases: ['hello/hi/good/thank'] })).toBe(
      'Something said in the call rules this out.',
    );
    expect(withheld({ kind: 'metric', metric: 'durationSeconds', limits: { min: 36_000 } })).toBe(
      'The call is outside the limits within which this applies.',
    );
  });

  it('judges forbidden phrases by severity', () => {
    const rule = (severity: string, enabled = true): unknown => ({
      key: 'r',
      title: 'No discounts',
      severity,
      enabled,
      kind: 'phrase',
      expect: 'absent',
      phrases: ['calendar'],
    });
    expect(score(own([phraseCheck], [rule('high')])).complianceStatus).toBe('failed');
    expect(score(own([phraseCheck], [rule('low')])).complianceStatus).toBe('needs_review');
    expect(score(own([phraseCheck], [rule('high', false)])).complianceStatus).toBe('not_applicable');
  });

  it('judges the recording notice, once it is switched on', () => {
    const rubric = structuredClone(defaultRubric);
    const notice = rubric.compliance[2];
    if (notice) notice.enabled = true;
    const answer = (script: string): unknown => scoreCall({ ...call(script), rubric }).complianceFindings[2]?.answer;
    expect(answer(CALLS.GOOD_CALL)).toBe('fail');
    expect(answer(`I: This call may be recorded for training.\n${CALLS.GOOD_CALL}`)).toBe('pass');
    expect(
      answer(CALLS.GOOD_CALL.replace('A: My name is Sarah.', 'A: My name is Sarah, and this call is being recorded.')),
    ).toBe('pass');
    expect(answer(CALLS.GOOD_CALL.replace('A: Have a lovely day.', 'A: By the way, this call was recorded.'))).toBe(
      'fail',
    );
  });
});
