import type { SlightKind } from '../lexicon/accusations/accusation-book.ts';
import type { PressureKind, SecretKind } from '../messages/terms.ts';
import type { AnswerBasis, CheckAnswer, Evidence } from '../../model/scorecard.ts';

/** The result of a check: the answer, one plain sentence why, and its quotes. */
export type Finding = {
  answer: CheckAnswer;
  rationale: string;
  evidence: Evidence[];
  /** The time in the call that coaching should point to, if any. */
  atMs?: number;
  /** Facts for the report, such as details that were not read back. */
  notes?: readonly string[];
  /** What was said that must not be. */
  secrets?: readonly SecretKind[];
  pressure?: readonly PressureKind[];
  slights?: readonly SlightKind[];
  /** Whether somebody is sworn at or called names in words that need no other sign, or a secret was redacted. */
  isPlain?: boolean;
  /** What was found, where the report tells it in its own words. */
  way?: 'asked' | 'restated' | 'objected';
  /** What it is based on, if the check and its evidence do not show that. */
  basis?: AnswerBasis;
  /** The probability that a careful reader gives the same answer, if it was measured. */
  confidence?: number;
  /** Whether a learned or a language model found it: then there are no notes of a detector. */
  isByModel?: boolean;
};

/** The same, with coaching pointing to the first quote, so that both refer to one moment. */
export function atFirstQuote(found: Finding): Finding {
  const [first] = found.evidence;
  return first ? { ...found, atMs: first.startMs } : found;
}

export function finding(answer: CheckAnswer, rationale: string, evidence: Evidence[] = []): Finding {
  return { answer, rationale, evidence };
}

/**
 * What an answer is based on, and how certain it is: a measurement is certain; for most other findings it was not
 * measured.
 */
export function groundsOf(
  { basis, confidence, isByModel, evidence }: Finding,
  isMetric: boolean,
): { basis: AnswerBasis; confidence: number | null } {
  if (isMetric) return { basis: 'metric', confidence: 1 };
  const plain = isByModel ? 'model' : evidence.length > 0 ? 'evidence' : 'absence';
  return { basis: basis ?? plain, confidence: confidence ?? null };
}
