import type { CheckResult, ComplianceFinding, Scorecard } from '../../domain/analyses/schemas.ts';
import type { Rubric } from '../../domain/profiles/rubric.ts';
import type { Finding } from '../answer.ts';
import type { Scores } from '../arithmetic.ts';
import type { CallFacts } from '../facts.ts';
import { findActionItems } from './action-items.ts';
import { writeImprovements } from './improvements.ts';
import { writeSummary } from './summary.ts';
import { findTopics } from './topics.ts';

export type ReportInput = {
  facts: CallFacts;
  rubric: Rubric;
  checks: readonly CheckResult[];
  complianceFindings: readonly ComplianceFinding[];
  /** What each check and rule found, by its key. */
  findings: ReadonlyMap<string, Finding>;
  scores: Scores;
};

/** The words of an analysis, built from what the checks found; nothing in it is made up. */
export function writeReport(
  input: ReportInput,
): Pick<Scorecard, 'summary' | 'improvements' | 'topics' | 'actionItems'> {
  return {
    summary: writeSummary(input),
    improvements: writeImprovements(input),
    topics: findTopics(input.facts),
    actionItems: findActionItems(input),
  };
}
