import type { AnswerBasis, CheckAnswer } from '../../model/scorecard.ts';
import { DETECTOR_PRECISIONS, DETECTOR_RECALLS } from './detector-figures.ts';
import type { Opinion } from './opinion.ts';
import type { OpinionKey } from './signals.ts';

/** What the rules say of a check, and in what kind of transcript. */
export type RulesSay = {
  key: OpinionKey;
  answer: CheckAnswer;
  /** Whether words of the call show it. */
  isShown: boolean;
  /** `en spoken`: language and kind of transcript, as the figures have them. */
  kind: string;
};

export type Decision = { answer: CheckAnswer; basis: AnswerBasis; confidence: number };

/** Answers that are at least this sure agree with a reader in 96 of 100 calls that nobody has seen; see docs/scoring.md. */
const SURE = 0.8;
/** From here on, words that a rule has found need no second opinion. */
const PRECISION_MIN = 0.96;
/** From here on, that a rule has found nothing is an answer of its own. */
const RECALL_MIN = 0.97;
/** Fewer calls than this measure nothing. */
const MEASURED_MIN = 20;
/** Nobody is accused by what was learned, but an acquittal is doubted from here on. */
const SLIGHT_DOUBTED = 0.4;

/**
 * The answer that stands: what words show where such words are known to be right, what the rules did not find where they are
 * known to find it, else what the second opinion is sure of. The rest is left to a person.
 */
export function decide(rules: RulesSay, opinion: Opinion): Decision {
  const { key, answer } = rules;
  const basis = rules.isShown ? 'evidence' : 'absence';
  const agreed = answer === 'needs_review' ? 0 : opinion.shares[answer];
  if (key === 'professionalism.respect') {
    if (answer === 'pass' && opinion.shares.fail >= SLIGHT_DOUBTED)
      return { answer: 'needs_review', basis: 'model', confidence: opinion.shares.fail };
    return { answer, basis, confidence: answer === 'pass' ? 1 - opinion.shares.fail : agreed };
  }
  const precision = shareOf(DETECTOR_PRECISIONS[key]);
  if (answer === 'pass' && rules.isShown && precision >= PRECISION_MIN)
    return { answer, basis, confidence: Math.max(agreed, precision) };
  const isOther = opinion.answer !== answer;
  if (!rules.isShown && !(isOther && opinion.confidence >= SURE)) {
    const recall = shareOf(DETECTOR_RECALLS[key][rules.kind]);
    if (recall >= RECALL_MIN) return { answer, basis, confidence: Math.max(agreed, SURE) };
  }
  if (opinion.confidence < SURE) return { answer: 'needs_review', basis, confidence: opinion.confidence };
  return { answer: opinion.answer, basis: isOther ? 'model' : basis, confidence: opinion.confidence };
}

function shareOf([hits, of]: readonly [number, number] = [0, 0]): number {
  return of < MEASURED_MIN ? 0 : hits / of;
}
