import type { OrgTx } from '../db/scope.ts';
import { selectModelAnswers } from '../domain/analyses/service.ts';
import type { AnalysisEngine } from '../model/analysis.ts';
import type { Logger } from '../lib/logger.ts';
import type { FunctionDeps } from './dependencies.ts';
import { toFailure } from './base/faults.ts';
import type { ModelOutcome } from './score-transcript.ts';

/** What asking a model leaves for scoring: keys of its answers in the database, or the reason why there are none. */
export type ModelAnswersRef = { digests: string[] } | { fallback: NonNullable<AnalysisEngine['fallback']> };

/** Waits for a model's answers. If the model has finally failed, the call does not fail: the rules answer. */
export async function askedOrFallback(invoke: () => Promise<unknown>): Promise<ModelAnswersRef> {
  try {
    return (await invoke()) as ModelAnswersRef;
  } catch (error) {
    const { code, message } = toFailure(error instanceof Error ? error : new Error(String(error)));
    return { fallback: { code, message } };
  }
}

const lostAnswers = { code: 'ANALYSIS_ANSWERS_LOST', message: 'The answers of the language model are gone.' };

/** Null if no model was asked, or there was nothing to ask. */
export async function readOutcome(
  tx: OrgTx,
  { recordId, asked, analyst }: { recordId: string; asked: ModelAnswersRef | null; analyst: FunctionDeps['analyst'] },
): Promise<ModelOutcome | null> {
  if (!asked || !analyst) return null;
  if ('fallback' in asked) return asked;
  if (asked.digests.length === 0) return null;
  const answers = await selectModelAnswers(tx, recordId, asked.digests);
  return answers ? { model: analyst.model, answers } : { fallback: lostAnswers };
}

export function warnOfFallback(
  log: Logger,
  { orgId, recordId }: { orgId: string; recordId: string },
  { code }: NonNullable<AnalysisEngine['fallback']>,
): void {
  log.warn({ orgId, recordId, code }, 'the rules scored a call without the language model');
}
