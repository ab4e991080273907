import { describe, expect, it } from 'vitest';
import type { CheckAnswer } from '../../src/model/scorecard.ts';
import { defaultRubric } from '../../src/domain/profiles/default-rubric.ts';
import { Rubric } from '../../src/model/rubric.ts';
import {
  answersJsonSchema,
  keyAnswers,
  readAnswers,
  type KeyedAnswers,
  type ModelAnswers,
  type ModelVerdict,
} from '../../src/model/model-answers.ts';
import { prepareCall } from '../../src/scoring/model/call.ts';
import { scoreCall } from '../support/score-call.ts';
import { answersOf, call } from './corpus.ts';
import { said, type Quoted } from './model-support.ts';

const script = `
A: thank you for calling northwind this is sarah how can i help you
C: hello i was charged twice for my bill
A: which of the two payments do you mean
C: the one of the third of may
A: i have refunded that payment now
C: great thank you that is all
A: thank you for calling goodbye`;

const question = 'Does the agent mention the warranty?';
const custom = (further: object = {}): Rubric =>
  Rubric.parse({
    categories: [
      {
        key: 'own',
        title: 'Own',
        weight: 1,
        checks: [{ key: 'own.check', title: 'Own check', weight: 1, kind: 'model', question, ...further }],
      },
    ],
    compliance: [],
  });

/** As they are kept: by question. */
const kept = (rubric: Rubric, windows: readonly ModelAnswers[], of = script): KeyedAnswers[] => {
  const questions = prepareCall({ ...call(of), rubric })?.questions ?? [];
  return windows.map((window) => keyAnswers(window, questions));
};

/** What one check comes to when the model answers so, window by window. */
function judged(rubric: Rubric, windows: ModelAnswers[], of = script): { answer: CheckAnswer; quotes: string[] } {
  const { checks } = scoreCall({ ...call(of), rubric, modelAnswers: kept(rubric, windows, of) });
  const check = checks.find(({ key }) => key === 'own.check');
  return { answer: check?.answer ?? 'needs_review', quotes: (check?.evidence ?? []).map(({ quote }) => quote) };
}

const real: Quoted = [5, 'refunded that payment'];
const invented: Quoted = [5, 'the warranty lasts ten years'];
const misplaced: Quoted = [4, 'refunded that payment'];

describe('an answer that has to be shown', () => {
  it.each([
    ['a pass with words of the call', 'present', 'pass', [real], 'pass'],
    ['a pass with nothing', 'present', 'pass', [], 'needs_review'],
    ['a pass with invented words', 'present', 'pass', [invented], 'needs_review'],
    ['a pass with words of another segment', 'present', 'pass', [misplaced], 'needs_review'],
    ['a pass with a segment that is not there', 'present', 'pass', [[99, 'refunded that payment']], 'needs_review'],
    ['a pass with real and invented words', 'present', 'pass', [invented, real], 'pass'],
    ['a partial with nothing', 'present', 'partial', [], 'needs_review'],
    ['a fail with nothing, since nothing was said', 'present', 'fail', [], 'fail'],
    ['a pass where something was to be left unsaid', 'absent', 'pass', [], 'pass'],
    ['a fail with nothing where it was said', 'absent', 'fail', [], 'needs_review'],
    ['a fail with invented words', 'absent', 'fail', [invented], 'needs_review'],
    ['a fail with words of the call', 'absent', 'fail', [real], 'fail'],
    ['what does not apply', 'present', 'not_applicable', [], 'not_applicable'],
    ['what cannot be told', 'present', 'cannot_tell', [], 'needs_review'],
  ] as const)('%s (%s): %s → %s', (_name, expected, verdict, quotes, answer) => {
    const windows = [said({ answers: { q1: [verdict, ...(quotes as readonly Quoted[])] } })];
    const found = judged(custom({ expect: expected }), windows);
    expect(found.answer).toBe(answer);
    expect(found.quotes.every((quote) => script.includes(quote))).toBe(true);
  });

  it('is a matter for people where the model leaves it out, and has to be proven unless the profile says otherwise', () => {
    expect(judged(custom(), [said({})]).answer).toBe('needs_review');
    expect(judged(custom(), [said({ answers: { q1: ['pass'] } })]).answer).toBe('needs_review');
    expect(judged(custom(), [said({ answers: { q7: ['pass', real] } })]).answer).toBe('needs_review');
  });

  it('needs words of the party that it is about', () => {
    const own = custom({ detector: 'company' });
    expect(judged(own, [said({ answers: { q1: ['pass', [2, 'hello i was charged']] } })]).answer).toBe('needs_review');
    expect(judged(own, [said({ answers: { q1: ['pass', [1, 'calling northwind']] } })])).toEqual({
      answer: 'pass',
      quotes: ['calling northwind'],
    });
  });
});

describe('answers of several windows', () => {
  const other: Quoted = [3, 'which of the two payments'];
  it.each([
    ['a pass anywhere is one', 'present', {}, [['fail'], ['pass', real]], 'pass'],
    ['partial beats fail', 'present', {}, [['fail'], ['partial', real], ['fail']], 'partial'],
    ['an unproven pass keeps a fail in doubt', 'present', {}, [['fail'], ['pass', invented]], 'needs_review'],
    [
      'a proven pass outweighs an unproven one',
      'present',
      {},
      [
        ['pass', invented],
        ['pass', real],
      ],
      'pass',
    ],
    ['a breach anywhere is one', 'absent', {}, [['pass'], ['fail', real], ['pass']], 'fail'],
    ['an unproven breach keeps a pass in doubt', 'absent', {}, [['pass'], ['fail', invented]], 'needs_review'],
    ['what cannot be told counts for nothing', 'present', {}, [['cannot_tell'], ['fail']], 'fail'],
    ['what applies to one part applies', 'present', {}, [['not_applicable'], ['fail']], 'fail'],
    ['the beginning decides on the opening', 'present', { detector: 'company' }, [['fail'], ['pass', real]], 'fail'],
    [
      'the end decides on the acceptance',
      'present',
      { detector: 'accepted' },
      [['partial', [6, 'that is all']], ['pass', [6, 'great thank you']], ['cannot_tell']],
      'pass',
    ],
  ] as const)('%s', (_name, expected, further, windows, answer) => {
    const heard = windows.map((each) => said({ answers: { q1: [...each] as never } }));
    // Without what the rules hear themselves, which is set against it below.
    const mute = script.replace('northwind', 'us').replace('this is sarah', '');
    expect(judged(custom({ expect: expected, ...further }), heard, mute).answer).toBe(answer);
  });

  it('keep the words of all that answer alike', () => {
    const windows = [said({ answers: { q1: ['pass', other] } }), said({ answers: { q1: ['pass', real, other] } })];
    expect(judged(custom(), windows).quotes).toEqual(['which of the two payments', 'refunded that payment']);
  });
});

describe('what the rules have heard themselves', () => {
  const rude = script.replace('i have refunded that payment now', 'you are an idiot just listen to me');
  const card = script.replace('i have refunded that payment now', 'so your card number is 4111 1111 1111 1111');
  const ids = (rubric: Rubric, key: string): string => {
    const prepared = prepareCall({ ...call(script), rubric });
    return prepared?.questions.find((each) => each.key === key)?.id ?? '';
  };

  it('stays a breach although the model clears it', () => {
    const respect = ids(defaultRubric, 'professionalism.respect');
    const sensitive = ids(defaultRubric, 'compliance.sensitive');
    const windows = [said({ answers: { [respect]: ['pass'], [sensitive]: ['pass'] } })];
    const insulted = scoreCall({ ...call(rude), rubric: defaultRubric, modelAnswers: kept(defaultRubric, windows) });
    expect(answersOf(insulted)['professionalism.respect']).toBe('fail');
    expect(insulted.qualityScore).toBeLessThanOrEqual(49);
    const readOut = scoreCall({ ...call(card), rubric: defaultRubric, modelAnswers: kept(defaultRubric, windows) });
    expect(readOut.complianceStatus).toBe('failed');
    expect(JSON.stringify(readOut.complianceFindings)).not.toContain('1111 1111');
  });

  it('counts where the model says nothing of it, or cannot tell', () => {
    const plain = answersOf(scoreCall({ ...call(script), rubric: defaultRubric, secondOpinion: 'tells' }));
    const unsure = Object.fromEntries(
      Array.from({ length: 9 }, (_, n) => [`q${n + 1}`, ['cannot_tell'] as ['cannot_tell']]),
    );
    for (const windows of [[said({})], [said({ answers: unsure }), said({})]]) {
      const scorecard = scoreCall({
        ...call(script),
        rubric: defaultRubric,
        modelAnswers: kept(defaultRubric, windows),
      });
      expect(answersOf(scorecard)).toEqual(plain);
      expect(scorecard.complianceStatus).toBe('passed');
    }
  });

  it('keeps a failure in doubt that the model shows with no words', () => {
    const company = ids(defaultRubric, 'greeting.company');
    const fails = scoreCall({
      ...call(script),
      rubric: defaultRubric,
      modelAnswers: kept(defaultRubric, [said({ answers: { [company]: ['fail'] } })]),
    });
    const check = fails.checks.find(({ key }) => key === 'greeting.company');
    expect(check).toMatchObject({ answer: 'needs_review', score: null });
    expect(check?.evidence.length).toBeGreaterThan(0);
  });

  it('gives way to a pass or a failure that the model shows', () => {
    const resolved = ids(defaultRubric, 'problem.resolved');
    const other = script.replace('i have refunded that payment now', 'the sum is on its way to you');
    const windows = [said({ answers: { [resolved]: ['pass', [5, 'is on its way']] } })];
    const scorecard = scoreCall({ ...call(other), rubric: defaultRubric, modelAnswers: kept(defaultRubric, windows) });
    expect(answersOf(scorecard)['problem.resolved']).toBe('pass');
  });

  it('answers phrases and metrics alone, whatever the model says of them', () => {
    const plain = scoreCall({ ...call(script), rubric: defaultRubric, secondOpinion: 'tells' });
    const prepared = prepareCall({ ...call(script), rubric: defaultRubric });
    expect(prepared?.questions.map(({ key }) => key)).toEqual([
      'greeting.company',
      'greeting.name',
      'problem.understood',
      'problem.details',
      'problem.resolved',
      'problem.accepted',
      'professionalism.respect',
      'compliance.sensitive',
      'compliance.pressure',
    ]);
    const everything = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`q${n + 1}`, ['fail'] as ['fail']]));
    const byModel = scoreCall({
      ...call(script),
      rubric: defaultRubric,
      modelAnswers: kept(defaultRubric, [said({ answers: everything })]),
    });
    const exact = ({ key }: { key: string }): boolean => !prepared?.questions.some((each) => each.key === key);
    expect(byModel.checks.filter(exact)).toEqual(plain.checks.filter(exact));
    expect(byModel.metrics).toEqual(plain.metrics);
  });

  it('asks about silences only where there are any', () => {
    const held = script.replace('\nA: i have', '\n~20\nA: i have');
    const questions = prepareCall({ ...call(held), rubric: defaultRubric })?.questions;
    expect(questions?.map(({ key }) => key)).toContain('professionalism.hold');
  });

  it('asks nothing where no agent speaks', () => {
    expect(prepareCall({ ...call('C: hello is anybody there'), rubric: defaultRubric })).toBeNull();
  });

  it('keeps exemptions', () => {
    const rubric = custom({ exemptions: ['noCustomerSpeech'] });
    expect(judged(rubric, [said({ answers: { q1: ['fail'] } })], 'A: hello this is sarah').answer).toBe(
      'not_applicable',
    );
  });
});

describe('a language model that disagrees', () => {
  const ids = (rubric: Rubric, key: string): string =>
    prepareCall({ ...call(script), rubric })?.questions.find((each) => each.key === key)?.id ?? '';
  const answered = (key: string, answer: [CheckAnswer & ModelVerdict, ...Quoted[]]) => {
    const windows = [said({ answers: { [ids(defaultRubric, key)]: answer } })];
    const scorecard = scoreCall({ ...call(script), rubric: defaultRubric, modelAnswers: kept(defaultRubric, windows) });
    return [...scorecard.checks, ...scorecard.complianceFindings].find((each) => each.key === key);
  };

  it.each<[string, [CheckAnswer & ModelVerdict, ...Quoted[]]]>([
    ['problem.resolved', ['partial', real]],
    ['problem.accepted', ['partial', [6, 'that is all']]],
    ['professionalism.respect', ['fail', [3, 'which of the two payments']]],
    ['compliance.pressure', ['fail', [3, 'which of the two payments']]],
  ])('with words that the rules have leaves %s to a person', (key, answer) => {
    const found = answered(key, answer);
    expect(found).toMatchObject({ answer: 'needs_review', basis: 'model' });
    expect(found?.rationale).toMatch(
      /^The language model answers “\w+”, the rules answer “pass”: listen to the call\.$/u,
    );
    expect(found?.evidence.length).toBeGreaterThan(0);
  });

  it('with nobody has its answer, and says how sure it is', () => {
    const found = answered('problem.resolved', ['pass', real]);
    expect(found).toMatchObject({ answer: 'pass', basis: 'model' });
    expect(found?.confidence).toBeGreaterThan(0.5);
  });
});

describe('answers to a rubric that was changed since', () => {
  const asked = ['first', 'second'].map((name) => {
    return { key: `own.${name}`, title: `The ${name}`, weight: 1, kind: 'model', question: `Is there a ${name}?` };
  });
  const rubricOf = (checks: object[]): Rubric =>
    Rubric.parse({ categories: [{ key: 'own', title: 'Own', weight: 1, checks }], compliance: [] });
  const answers = kept(rubricOf(asked), [
    said({ answers: { q1: ['pass', real], q2: ['fail'] }, improvements: { q2: 'Mention the second.' } }),
  ]);
  const answered = (checks: object[]) => {
    const card = scoreCall({ ...call(script), rubric: rubricOf(checks), modelAnswers: answers });
    return { ...answersOf(card), advice: card.improvements.includes('Mention the second.') };
  };

  it('go to the checks that were asked, wherever these stand now', () => {
    const [first = {}, second = {}] = asked;
    const inserted = { ...first, key: 'own.third', title: 'The third', question: 'Is there a third?' };
    expect(answered(asked)).toEqual({ 'own.first': 'pass', 'own.second': 'fail', advice: true });
    expect(answered([inserted, second, first])).toEqual({
      'own.third': 'needs_review',
      'own.second': 'fail',
      'own.first': 'pass',
      advice: true,
    });
  });

  it('answer no question that was worded anew, nor one that has to be shown in another way', () => {
    const [first = {}, second = {}] = asked;
    const reworded = { ...second, question: 'Is there a second one?' };
    const turned = { ...first, expect: 'absent' };
    expect(answered([turned, reworded])).toEqual({
      'own.first': 'needs_review',
      'own.second': 'needs_review',
      advice: false,
    });
  });
});

describe('the words of a report', () => {
  const rubric = Rubric.parse({
    ...custom(),
    compliance: [
      { key: 'own.rule', title: 'No promises', severity: 'high', kind: 'model', question, expect: 'absent' },
    ],
  });
  const score = (windows: ModelAnswers[]) =>
    scoreCall({ ...call(script), rubric, modelAnswers: kept(rubric, windows) });

  it('are the model’s as far as they quote the call, with scores and compliance told by code', () => {
    const card = score([
      said({
        answers: { q1: ['fail'], q2: ['fail', [5, 'i have refunded']] },
        summary: [
          ['The customer was charged twice.', [2, 'charged twice for my bill']],
          ['The agent sold a boat.', [5, 'here is your boat']],
          ['The agent refunded a payment', [5, 'refunded that payment']],
          ['Nothing supports this sentence.'],
        ],
        improvements: { q1: 'Mention the warranty.', q2: 'Not for a rule.', q9: 'For nothing.' },
        topics: [
          ['double charge', [2, 'charged twice']],
          ['boats', [2, 'a boat']],
        ],
        actionItems: [['Check that the refund arrives', [5, 'refunded that payment']], ['Send a boat']],
      }),
    ]);
    expect(card.summary).toBe(
      'The customer was charged twice. The agent refunded a payment. Points were lost on “own check”. Compliance: “No promises”: the language model finds it not met (0:15).',
    );
    expect(card.improvements).toContain('Mention the warranty.');
    expect(card.improvements.join()).not.toMatch(/Not for a rule|For nothing/);
    expect(card.topics).toEqual(['double charge']);
    expect(card.actionItems[0]).toBe('Check that the refund arrives.');
    expect(card.actionItems.join()).not.toContain('boat');
    expect(card).toMatchObject({ qualityScore: 0, complianceStatus: 'failed' });
  });

  it('are those of the rules where the model supports none', () => {
    const byRules = scoreCall({ ...call(script), rubric });
    const byModel = score([said({ summary: [['All went well.'], ['Perfect.', [1, 'a quote of nothing']]] })]);
    expect(byModel.summary.split('. ')[0]).toBe(byRules.summary.split('. ')[0]);
    expect(byModel.topics).toEqual(byRules.topics);
  });

  it('of many windows speak of the whole call, and repeat nothing', () => {
    const windows = Array.from({ length: 12 }, (_, n) =>
      said({
        summary: [[`Thing ${String.fromCodePoint(97 + n)} happens.`, [1, 'thank you for calling']]],
        topics: [
          ['Billing', [2, 'my bill']],
          ['billing', [2, 'my bill']],
        ],
      }),
    );
    const { summary, topics } = score(windows);
    expect(summary).toMatch(/^Thing a happens\. Thing c happens\. .*Thing l happens\. /);
    expect(summary.match(/Thing/g)).toHaveLength(6);
    expect(topics).toHaveLength(1);
  });

  it('come to the same each time', () => {
    const windows = [said({ answers: { q1: ['pass', real] }, summary: [['Fine.', real]] })];
    expect(score(windows)).toEqual(score(structuredClone(windows)));
  });
});

describe('what a model sends', () => {
  it('is no answer unless it is an object with answers', () => {
    for (const value of [null, 'pass', 7, [], {}, { answers: 'pass' }, { score: 100 }])
      expect(readAnswers(value)).toBeNull();
    expect(readAnswers({ answers: [] })).toEqual({
      answers: [],
      summary: [],
      improvements: [],
      topics: [],
      actionItems: [],
    });
  });

  it('is kept as far as it has the form, bounded and storable', () => {
    const good = { id: 'q1', answer: 'pass', rationale: 'Fine.', quotes: [{ segment: 1, text: 'hello there' }] };
    const read = readAnswers({
      score: 100,
      qualityScore: 100,
      answers: [
        { ...good, score: 100, __proto__x: 1 },
        { ...good, answer: 'PASS WITH HONOURS' },
        {
          ...good,
          quotes: [{ segment: 'one', text: 'x' }, { segment: 1.5, text: 'x' }, { segment: -1, text: 'x' }, null],
        },
        'pass',
        ...Array.from({ length: 2000 }, () => good),
      ],
      summary: [{ text: `NUL\0 and \uD800 half${'x'.repeat(9000)}`, quotes: 'none' }, { quotes: [] }],
      improvements: { q1: 'not a list' },
    });
    expect(read?.answers[0]).toEqual(good);
    expect(read?.answers[1]?.quotes).toEqual([]);
    expect(read?.answers.length).toBeLessThanOrEqual(500);
    expect(read?.summary).toHaveLength(1);
    expect(read?.summary[0]?.text.length).toBeLessThanOrEqual(500);
    expect(read?.summary[0]?.text).not.toMatch(/\0|\uD800/);
    expect(read?.improvements).toEqual([]);
  });

  it('is asked for in a form that says what it needs and no more', () => {
    expect(answersJsonSchema.required).toEqual(['answers', 'summary', 'improvements', 'topics', 'actionItems']);
    expect(JSON.stringify(answersJsonSchema)).not.toMatch(/maxLength|maxItems|pattern/);
  });
});
