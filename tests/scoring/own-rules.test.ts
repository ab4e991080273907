import { describe, expect, it } from 'vitest';
import type { CheckAnswer, CheckResult } from '../../src/model/scorecard.ts';
import { Rubric } from '../../src/model/rubric.ts';
import { scoreCall } from '../support/score-call.ts';
import { call } from './corpus.ts';

const CALL = `
  A: Hello, this is Sunrise.
  C: Hello, I want my money back.
  A: We will never charge a fee.
  A: Your refund has been sent.
  C: Thank you.
  A: Goodbye and thank you.`;

type Written = Record<string, unknown>;
const rule = (extra: Written): Written => ({ key: 'own', title: 'Says it', weight: 1, kind: 'phrase', ...extra });

function judge(checks: Written[], compliance: Written[] = []): CheckResult[] {
  const rubric = Rubric.parse({ categories: [{ key: 'c', title: 'C', weight: 1, checks }], compliance });
  return scoreCall({ ...call(CALL), rubric }).checks;
}

const answerTo = (extra: Written): CheckAnswer | undefined => judge([rule(extra)])[0]?.answer;

describe('a check of one’s own', () => {
  it.each<[string, Written, CheckAnswer]>([
    ['said by the agent', { phrases: ['refund'] }, 'pass'],
    ['said by the other one', { phrases: ['money back'] }, 'fail'],
    ['said by the customer', { phrases: ['money back'], role: 'customer' }, 'pass'],
    ['said by anyone', { phrases: ['money back'], role: 'anyone' }, 'pass'],
    ['forbidden and said', { phrases: ['charge a fee'], expect: 'absent' }, 'fail'],
    ['forbidden and denied', { phrases: ['charge a fee'], expect: 'absent', ignoreNegated: true }, 'pass'],
    ['forbidden and not said', { phrases: ['your fault'], expect: 'absent' }, 'pass'],
    ['said twice', { phrases: ['hello', 'good bye'], times: 2 }, 'pass'],
    ['said once of two times', { phrases: ['hello'], times: 2 }, 'partial'],
    ['never said of two times', { phrases: ['welcome'], times: 2 }, 'fail'],
    ['in the first half', { phrases: ['hello'], where: { part: 'firstHalf' } }, 'pass'],
    ['not in the second half', { phrases: ['hello'], where: { part: 'secondHalf' } }, 'fail'],
    ['elsewhere', { phrases: ['hello'], where: { part: 'secondHalf' }, elsewhere: 'partial' }, 'partial'],
    ['in the last seconds', { phrases: ['good bye'], where: { part: 'lastSeconds', seconds: 3 } }, 'pass'],
    ['not in the last seconds', { phrases: ['refund'], where: { part: 'lastSeconds', seconds: 3 } }, 'fail'],
    ['a look-alike', { phrases: ['thank you'], ignore: ['good bye and thank you'] }, 'fail'],
  ])('%s', (_, extra, answer) => {
    expect(answerTo(extra)).toBe(answer);
  });

  it.each<[string, Written, CheckAnswer]>([
    ['something is said', { kind: 'phrase', role: 'customer', phrases: ['money back'] }, 'fail'],
    ['something is said that is not', { kind: 'phrase', role: 'customer', phrases: ['cancel'] }, 'not_applicable'],
    ['something is not said', { kind: 'phrase', expect: 'absent', phrases: ['refund'] }, 'not_applicable'],
    ['the call is long enough', { kind: 'metric', metric: 'durationSeconds', limits: { above: 3 } }, 'fail'],
    ['the call is longer', { kind: 'metric', metric: 'durationSeconds', limits: { min: 3600 } }, 'not_applicable'],
    ['another check is passed', { kind: 'answer', check: 'refund', answers: ['pass'] }, 'fail'],
    ['another check is failed', { kind: 'answer', check: 'refund', answers: ['fail', 'partial'] }, 'not_applicable'],
    ['what a person must judge', { kind: 'answer', check: 'kindness', answers: ['pass'] }, 'needs_review'],
  ])('applies when %s', (_, appliesWhen, answer) => {
    const kindness = { ...rule({ key: 'kindness' }), kind: 'model', question: 'Is the agent kind?' };
    const checks = judge([
      rule({ phrases: ['welcome'], appliesWhen }),
      rule({ key: 'refund', phrases: ['refund'] }),
      kindness,
    ]);
    expect(checks[0]?.answer).toBe(answer);
  });

  it('that depends on another one may stand before it, and counts nothing where it does not apply', () => {
    const late = rule({
      key: 'late',
      phrases: ['welcome'],
      appliesWhen: { kind: 'answer', check: 'own', answers: ['fail'] },
    });
    const checks = judge([late, rule({ phrases: ['refund'] })]);
    expect(checks.map(({ key, answer, score }) => [key, answer, score])).toEqual([
      ['late', 'not_applicable', null],
      ['own', 'pass', 100],
    ]);
  });
});

describe('a compliance rule of one’s own', () => {
  const findingsOf = (compliance: Written[]) => {
    const categories = [{ key: 'c', title: 'C', weight: 1, checks: [rule({ phrases: ['refund'] })] }];
    const { complianceFindings, complianceStatus } = scoreCall({
      ...call(CALL),
      rubric: Rubric.parse({ categories, compliance }),
    });
    return { answers: complianceFindings.map(({ answer }) => answer), complianceStatus };
  };
  const own = (extra: Written): Written => ({ key: 'r', title: 'R', severity: 'high', ...extra });

  it('is made of measurements as well', () => {
    const limits = [{ metric: 'agentTalkPercent', pass: { max: 10 } }];
    expect(findingsOf([own({ kind: 'metric', limits })])).toEqual({ answers: ['fail'], complianceStatus: 'failed' });
  });

  it('applies on a condition, also on the answer to a check, and counts nothing where it does not', () => {
    const said = { kind: 'phrase', expect: 'present', phrases: ['welcome'] };
    const when = (answers: string[]) => ({ kind: 'answer', check: 'own', answers });
    expect(findingsOf([own({ ...said, appliesWhen: when(['pass']) })]).complianceStatus).toBe('failed');
    expect(findingsOf([own({ ...said, appliesWhen: when(['fail']) })])).toEqual({
      answers: ['not_applicable'],
      complianceStatus: 'passed',
    });
  });
});
