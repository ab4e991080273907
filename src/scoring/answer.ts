import type { AnswerBasis, CheckAnswer, Evidence } from '../model/scorecard.ts';

/** What a check finds out: the answer, one plain sentence why, and the words that show it. */
export type Finding = {
  answer: CheckAnswer;
  rationale: string;
  evidence: Evidence[];
  /** The time in the call that coaching should point to, where there is one. */
  atMs?: number;
  /** Facts that the report may speak of, e.g. what was not read back. */
  notes?: readonly string[];
  /** What it rests on, where that is not plain from the check and its evidence. */
  basis?: AnswerBasis;
  /** How likely a careful reader answers the same, where that was measured. */
  confidence?: number;
  /** Whether a learned or a language model found it: then there are no notes of a detector to speak of. */
  isByModel?: boolean;
};

/** The same, with coaching pointing to where its first quote is heard, so that both name one moment. */
export function atFirstQuote(found: Finding): Finding {
  const [first] = found.evidence;
  return first ? { ...found, atMs: first.startMs } : found;
}

export function finding(answer: CheckAnswer, rationale: string, evidence: Evidence[] = []): Finding {
  return { answer, rationale, evidence };
}

/** What an answer rests on, and how sure it is: a measurement is certain, and of most other findings nothing was measured. */
export function groundsOf(
  { basis, confidence, isByModel, evidence }: Finding,
  isMetric: boolean,
): { basis: AnswerBasis; confidence: number | null } {
  if (isMetric) return { basis: 'metric', confidence: 1 };
  const plain = isByModel ? 'model' : evidence.length > 0 ? 'evidence' : 'absence';
  return { basis: basis ?? plain, confidence: confidence ?? null };
}
