import type { CheckAnswer, Evidence } from '../model/scorecard.ts';

/** What a check finds out: the answer, one plain sentence why, and the words that show it. */
export type Finding = {
  answer: CheckAnswer;
  rationale: string;
  evidence: Evidence[];
  /** The time in the call that coaching should point to, where there is one. */
  atMs?: number;
  /** Facts that the report may speak of, e.g. what was not read back. */
  notes?: readonly string[];
  /** Whether a language model found it: then there are no notes of a detector to speak of. */
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
