import type { AnswerBasis, CheckAnswer } from '../../model/scorecard.ts';
import { DETECTOR_PRECISIONS } from './detector-figures.ts';
import type { Opinion } from './opinion.ts';
import type { OpinionKey } from './signals.ts';

/** What the rules say of a check. */
export type RulesSay = {
  key: OpinionKey;
  answer: CheckAnswer;
  /** Whether words of the call show it. */
  isShown: boolean;
  /** How usual the words of the call are, from 0 to 1. */
  plain: number;
  /** How likely what would make the answer a yes is done at all. */
  heard: number;
};

export type Decision = { answer: CheckAnswer; basis: AnswerBasis; confidence: number };

/**
 * How sure the second opinion has to be to answer by itself. So set that some 96 of 100 answers agree with a reader, by calls of writers that
 * it had not learned from; see docs/scoring.md.
 */
const SURE: Record<OpinionKey, number> = {
  'greeting.opens': 0.7,
  'greeting.company': 0.5,
  'greeting.name': 0.82,
  'greeting.offer': 0.66,
  'problem.understood': 0.74,
  'problem.details': 0.74,
  'problem.resolved': 0.66,
  'problem.accepted': 0.84,
  'professionalism.courtesy': 0.78,
  'professionalism.respect': 0.66,
  'closing.more': 0.76,
  'closing.thanks': 0.62,
  'closing.farewell': 0.88,
};
/** To say that only a part or nothing came of a call: what was done is often told in words that nobody knows. */
const SURE_OF_LESS: Partial<Record<OpinionKey, number>> = { 'problem.resolved': 0.82 };
/** From here on, words that a rule has found need no second opinion. */
const PRECISION_MIN = 0.96;
/** A yes that the rules do not see has to be heard at least so clearly: what is usual in a greeting must not be guessed. */
const HEARD_MIN = 0.2;
const HEARD_MIN_OF: Partial<Record<OpinionKey, number>> = {
  'greeting.opens': 0.45,
  'greeting.company': 0.9,
  'greeting.name': 0.45,
  'greeting.offer': 0.45,
};
/** A yes that rests on what is usual alone is none, whoever says it: so clearly it has to be heard, but where the rules know the words of a call. */
const SAID_MIN_OF: Partial<Record<OpinionKey, number>> = {
  'problem.understood': 0.4,
  'professionalism.courtesy': 0.5,
};
/** Where nothing of the kind is heard in any utterance of its place, half sure is sure enough of a no. */
const SILENT_BELOW = 0.2;
const SILENT_SURE = 0.5;
const SILENT: ReadonlySet<OpinionKey> = new Set(['greeting.company', 'greeting.name', 'greeting.offer']);
/** From here on the rules know the words of a call so well that they are not overruled, only doubted. */
const PLAIN_MIN = 0.85;
/** In such calls the second opinion need only be this sure to confirm what the rules show. */
const LEANING = 0.5;
/** Fewer calls than this measure nothing. */
const MEASURED_MIN = 20;

/**
 * The answer that stands: what words show where such words are known to be right, else what the second opinion is sure of. That
 * nothing was found is no answer without it. The rest is left to a person.
 */
export function decide(rules: RulesSay, opinion: Opinion): Decision {
  const { key, answer } = rules;
  const basis = rules.isShown ? 'evidence' : 'absence';
  const agreed = answer === 'needs_review' ? 0 : opinion.shares[answer];
  if (key === 'professionalism.respect') {
    // Nobody is accused by what was learned, but an acquittal is doubted.
    if (answer === 'pass' && opinion.shares.fail > 1 - SURE[key])
      return { answer: 'needs_review', basis: 'model', confidence: opinion.shares.fail };
    return { answer, basis, confidence: answer === 'pass' ? 1 - opinion.shares.fail : agreed };
  }
  const precision = shareOf(DETECTOR_PRECISIONS[key]);
  if (answer === 'pass' && rules.isShown && precision >= PRECISION_MIN)
    return { answer, basis, confidence: Math.max(agreed, precision) };
  const isOther = opinion.answer !== answer;
  const isUnheard = opinion.answer === 'pass' && rules.plain < PLAIN_MIN && rules.heard < (SAID_MIN_OF[key] ?? 0);
  if (!isOther && rules.isShown && rules.plain >= PLAIN_MIN && opinion.confidence >= LEANING)
    return { answer, basis, confidence: opinion.confidence };
  if (isUnheard || opinion.confidence < sureOf(rules, opinion))
    return { answer: 'needs_review', basis, confidence: opinion.confidence };
  if (isOther && !mayOverrule(rules, opinion))
    return { answer: 'needs_review', basis: 'model', confidence: opinion.confidence };
  return { answer: opinion.answer, basis: isOther ? 'model' : basis, confidence: opinion.confidence };
}

function sureOf({ key, heard }: RulesSay, { answer }: Opinion): number {
  const sure = answer === 'pass' ? SURE[key] : (SURE_OF_LESS[key] ?? SURE[key]);
  return answer === 'fail' && SILENT.has(key) && heard < SILENT_BELOW ? Math.min(SILENT_SURE, sure) : sure;
}

function mayOverrule({ key, answer: byRules, isShown, plain, heard }: RulesSay, { answer }: Opinion): boolean {
  if (plain >= PLAIN_MIN) return false;
  // A detail that was given and not confirmed is there, whatever is usual in such a call.
  if (key === 'problem.details' && isShown && byRules === 'fail' && answer === 'not_applicable') return false;
  return heard >= (HEARD_MIN_OF[key] ?? HEARD_MIN) || (answer !== 'pass' && answer !== 'partial');
}

function shareOf([hits, of]: readonly [number, number] = [0, 0]): number {
  return of < MEASURED_MIN ? 0 : hits / of;
}
