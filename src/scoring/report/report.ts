import type { Scorecard } from '../../model/scorecard.ts';
import { findActionItems } from './action-items.ts';
import { writeImprovements } from './improvements.ts';
import type { ReportInput } from './input.ts';
import { writeSummary } from './summary.ts';
import { findTopics } from './topics.ts';

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
