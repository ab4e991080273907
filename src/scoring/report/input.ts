import type { CheckResult, ComplianceFinding } from '../../model/scorecard.ts';
import type { Rubric } from '../../model/rubric.ts';
import type { Finding } from '../findings/answer.ts';
import type { Scores } from '../arithmetic.ts';
import type { CallFacts } from '../facts/facts.ts';
import type { ModelReading } from '../model/reading.ts';

/** What a report is written from. */
export type ReportInput = {
  facts: CallFacts;
  rubric: Rubric;
  checks: readonly CheckResult[];
  complianceFindings: readonly ComplianceFinding[];
  /** What each check and rule found, by its key. */
  findings: ReadonlyMap<string, Finding>;
  scores: Scores;
  /** What a language model says of the call; null where the rules answered alone. */
  model: ModelReading | null;
};
