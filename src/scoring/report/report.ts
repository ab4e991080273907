import type { CheckResult, ComplianceFinding, Scorecard } from '../../domain/analyses/schemas.ts';
import type { Rubric } from '../../domain/profiles/rubric.ts';
import type { Finding } from '../answer.ts';
import type { Scores } from '../arithmetic.ts';
import type { CallFacts } from '../facts.ts';

export type ReportInput = {
  facts: CallFacts;
  rubric: Rubric;
  checks: readonly CheckResult[];
  complianceFindings: readonly ComplianceFinding[];
  /** What each check and rule found, by its key. */
  findings: ReadonlyMap<string, Finding>;
  scores: Scores;
};

export function writeReport(
  _input: ReportInput,
): Pick<Scorecard, 'summary' | 'improvements' | 'topics' | 'actionItems'> {
  return { summary: '', improvements: [], topics: [], actionItems: [] };
}
