import type { CheckAnswer, CheckResult, Scorecard } from '../../src/model/scorecard.ts';
import { defaultRubric } from '../../src/domain/profiles/default-rubric.ts';
import { computeScores, scoreOfAnswer } from '../../src/scoring/arithmetic.ts';
import type { SecondOpinion } from '../../src/scoring/opinion/weigh.ts';
import { scoreCall } from '../support/score-call.ts';
import type { Judgement } from './figures.ts';
import { toTranscript, type LabelledCall, type Pair, type Snippet } from './labelled.ts';

export const ACCUSING_KEYS = ['professionalism.respect', 'compliance.sensitive', 'compliance.pressure'];

export type JudgedCall = {
  call: LabelledCall;
  scorecard: Scorecard;
  judgements: Judgement[];
  scoreError: number | null;
};

/** Scores a call with the standard rubric and sets every answer beside the reader's. */
export function judgeLabelled(call: LabelledCall, secondOpinion: SecondOpinion = 'decides'): JudgedCall {
  return besideReader(call, scoreCall({ ...toTranscript(call), rubric: defaultRubric, secondOpinion }));
}

/** A scorecard, however it came about, with every answer beside the reader's. */
export function besideReader(call: LabelledCall, scorecard: Scorecard): JudgedCall {
  const truths = { ...call.answers, ...call.compliance };
  const judgements = [...scorecard.checks, ...scorecard.complianceFindings].flatMap((given): Judgement[] => {
    const truth = truths[given.key];
    if (truth === undefined) return [];
    return [
      {
        call: call.id,
        key: given.key,
        language: call.language,
        trade: call.trade,
        style: call.style,
        given: given.answer,
        truth,
        confidence: given.confidence ?? 1,
        weight: weightOf(given.key),
        isContested: call.contested.includes(given.key),
        why: given.rationale,
      },
    ];
  });
  return { call, scorecard, judgements, scoreError: scoreErrorOf(scorecard, call.answers) };
}

/** Of a check in the whole score. Compliance has no part in it. */
export function weightOf(key: string): number {
  const category = defaultRubric.categories.find(({ checks }) => checks.some((check) => check.key === key));
  const own = category?.checks.find((check) => check.key === key);
  if (!category || !own) return 0;
  return (category.weight * own.weight) / category.checks.reduce((sum, { weight }) => sum + weight, 0);
}

/** Against the score of the reader's answers; what only time decides is taken over. Null where there is no score. */
function scoreErrorOf({ checks, qualityScore }: Scorecard, answers: Record<string, CheckAnswer>): number | null {
  const read = checks.map((check): CheckResult => {
    const answer = answers[check.key] ?? check.answer;
    return { ...check, answer, score: scoreOfAnswer(answer) };
  });
  const truth = computeScores(defaultRubric, read).qualityScore;
  return qualityScore === null || truth === null ? null : Math.abs(qualityScore - truth);
}

export type JudgedSnippet = { snippet: Snippet; answer: CheckAnswer; why: string; others: string[] };

/** What a snippet is answered for the check that it is about, and which other accusations are made of it. */
export function judgeSnippet(snippet: Snippet): JudgedSnippet {
  const { checks, complianceFindings } = scoreCall({ ...toTranscript(snippet), rubric: defaultRubric });
  const all = [...checks, ...complianceFindings];
  const own = all.find(({ key }) => key === snippet.about);
  const accusing = all.filter(({ key, answer }) => ACCUSING_KEYS.includes(key) && answer === 'fail');
  const others = accusing.map(({ key }) => key).filter((key) => key !== snippet.about);
  return { snippet, answer: own?.answer ?? 'needs_review', why: own?.rationale ?? '', others };
}

/** `isRight`: definitely answered on both sides. `isHonest`: so, or one side left to a listener. Either way nothing else changes. */
export type JudgedPair = { pair: Pair; isRight: boolean; isHonest: boolean; changed: string[]; expected: string[] };

/** Whether the answers that differ between the sides of a pair are those that the reader gave otherwise, and no other. */
export function judgePair(pair: Pair): JudgedPair {
  const answers = pair.sides.map(({ utterances }) => {
    const card = scoreCall({ ...toTranscript({ ...pair, utterances }), rubric: defaultRubric });
    return new Map([...card.checks, ...card.complianceFindings].map(({ key, answer }) => [key, answer]));
  });
  return comparePair(pair, answers);
}

/** Of the answers to either side, in order. A side that is left to a listener contradicts nobody. */
export function comparePair(
  pair: Pair,
  [first, second]: readonly (ReadonlyMap<string, CheckAnswer> | undefined)[],
): JudgedPair {
  const [before, after] = pair.sides;
  const keys = Object.keys(before.answers).filter((key) => first?.has(key));
  const expected = keys.filter((key) => before.answers[key] !== after.answers[key]);
  const changed = keys.filter((key) => first?.get(key) !== second?.get(key));
  const isMet = (isFine: (given: CheckAnswer | undefined, truth: CheckAnswer | undefined) => boolean): boolean =>
    expected.every(
      (key) => isFine(first?.get(key), before.answers[key]) && isFine(second?.get(key), after.answers[key]),
    );
  const isAlone = changed.length === expected.length && expected.every((key) => changed.includes(key));
  return {
    pair,
    changed,
    expected,
    isRight: isAlone && isMet((given, truth) => given === truth),
    isHonest: isAlone && isMet((given, truth) => given === truth || given === 'needs_review'),
  };
}
