import type { CheckResult, ComplianceFinding, Scorecard } from '../../domain/analyses/schemas.ts';
import type { Rubric } from '../../domain/profiles/rubric.ts';
import type { Finding } from '../answer.ts';
import type { Scores } from '../arithmetic.ts';
import type { CallFacts } from '../facts.ts';
import type { ModelReading } from '../model/reading.ts';
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
  /** What a language model says of the call; null where the rules answered alone. */
  model: ModelReading | null;
};

/**
 * The words of an analysis, built from what the checks found; nothing in it is made up. A model may word what happened in
 * the call and what to do better, as far as it quotes the call for it; scores and compliance are always told by code.
 */
export function writeReport(
  input: ReportInput,
): Pick<Scorecard, 'summary' | 'improvements' | 'topics' | 'actionItems'> {
  return {
    summary: writeSummary(input),
    improvements: writeImprovements(input),
    topics: input.model?.texts.topics.length ? input.model.texts.topics : findTopics(input.facts),
    actionItems: findActionItems(input),
  };
}
