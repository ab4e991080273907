import type { OrgTx } from '../../db/scope.ts';
import type { Failure } from '../../model/record.ts';
import { requestEvaluation } from '../alerts/evaluate.ts';
import { chargeAnalysis, release } from '../billing/metering.ts';
import type { Prices } from '../billing/prices.ts';
import { verdictOf } from '../../model/analysis.ts';
import { emitEvents, newEvent } from '../events/service.ts';
import { deleteModelAnswers } from '../analyses/model-answers.ts';
import { reportRequest } from '../portals/report-request.ts';
import { updateRecord } from '../records/service.ts';
import { retireAnalyses } from './queries.ts';
import { insertNextTranscript } from '../transcripts/service.ts';
import { isModelAsked, type KeptHeard, type ScoredBy } from './attempt.ts';
import { redactRecord, type RedactionDeps } from './redact-record.ts';
import { requireRedactedWords, requireRedaction } from '../transcripts/redaction-checks.ts';
import { saveWaveform } from '../recordings/waveform.ts';
import * as queries from './reprocessing-queries.ts';
import type { Scorecard } from '../../model/scorecard.ts';

/** A re-analysis in the pipeline. */
export type Reanalysis = { analysisId: string; recordId: string };

export type BegunReanalysis = { outcome: 'begun'; needsTranscript: boolean } | { outcome: 'void' };

/** `pending → processing`, or resumes an interrupted one. Void if it was deleted or has ended. */
export async function beginReanalysis(
  deps: RedactionDeps,
  { orgId, analysisId, recordId }: Reanalysis & { orgId: string },
): Promise<BegunReanalysis> {
  const row = await deps.db.withOrg(orgId, (tx) => queries.markReprocessing(tx, analysisId));
  if (!row) return { outcome: 'void' };
  // It may be older than the project's redaction setting, so both the words to score and those to keep are redacted
  // first.
  await redactRecord(deps, { orgId, recordId });
  return { outcome: 'begun', needsTranscript: row.retranscribe && row.transcriptVersion === null };
}

/** Records a sign of life. False if it is void. */
export async function touchReanalysis(tx: OrgTx, { analysisId }: Reanalysis): Promise<boolean> {
  return queries.touchReprocessing(tx, analysisId);
}

/**
 * Stores the new transcript. The record shows it only together with the analysis that is based on it. Call it through
 * `storingRedacted`.
 */
export async function saveRetranscript(
  tx: OrgTx,
  { analysisId, recordId }: Reanalysis,
  { transcript, durationMs, channels, waveform }: KeptHeard,
): Promise<boolean> {
  if (!(await queries.lockRecord(tx, recordId))) return false;
  const source = await queries.selectReanalysisSource(tx, analysisId);
  if (!source || source.hasTranscript) return false;
  await requireRedaction(tx, recordId, transcript);
  const transcriptVersion = await insertNextTranscript(tx, recordId, { ...transcript, channels, durationMs });
  await saveWaveform(tx, recordId, waveform);
  return queries.touchReprocessing(tx, analysisId, { transcriptVersion });
}

type Rescored = {
  scorecard: Scorecard;
  scoredBy: ScoredBy;
  prices: Prices;
  /** Properties of the recording, if it was transcribed again. */
  heard: { language: string | null; channels: number } | null;
};

/** Reviews are refused meanwhile; this is for one that a process of an older release accepted. */
const reviewedMeanwhile: Failure = {
  code: 'REVIEWED_MEANWHILE',
  message: 'The call was reviewed while it was analysed again, and that review stands. Analyse it again to replace it.',
  retryable: false,
};

/**
 * Completes a re-analysis in one transaction: it replaces the current analysis, is billed, and the record shows its
 * values. Fails if it would replace a review without consent. `void`: there is nothing to do. Throws what
 * `withRedactedWords` handles. The record is updated last, as in `publishAnalysis`.
 */
export async function publishReanalysis(
  tx: OrgTx,
  { analysisId, recordId }: Reanalysis,
  { scorecard, scoredBy, prices, heard }: Rescored,
): Promise<'published' | 'refused' | 'void'> {
  const record = await queries.lockRecord(tx, recordId);
  if (!record) return 'void';
  const [analysis] = await Promise.all([
    queries.selectReprocessing(tx, analysisId),
    requireRedactedWords(tx, recordId, scoredBy),
  ]);
  if (!analysis) return 'void';
  const { projectId, version, reservedCost, replacesRevision, reviewRevision } = analysis;
  if (reviewRevision !== replacesRevision) {
    await failReanalysis(tx, { analysisId, recordId }, reviewedMeanwhile);
    return 'refused';
  }
  const verdict = verdictOf(scorecard);
  const durationSeconds = heard ? Math.round(scoredBy.durationMs / 1000) : record.durationSeconds;
  await Promise.all([
    retireAnalyses(tx, recordId),
    queries.completeReanalysis(tx, analysisId, { scorecard, scoredBy, prices, completedAt: new Date() }),
    ...(isModelAsked(scoredBy) ? [deleteModelAnswers(tx, recordId)] : []),
    requestEvaluation(tx, {
      recordId,
      analysisId,
      projectId,
      durationSeconds,
      scores: scorecard,
      scoresBefore: null,
      metrics: scorecard.metrics,
      review: null,
    }),
    emitEvents(tx, [
      newEvent('analysis.completed', { analysisId, recordId, projectId, version, ...verdict }, analysisId),
      ...reportRequest(record.source, { recordId, analysisId }),
    ]),
    chargeAnalysis(tx, prices, { analysisId, recordId, projectId, tokens: scoredBy.tokens, reservedCost }),
    updateRecord(tx, recordId, {
      analysisId,
      ...verdict,
      reviewed: false,
      ...(heard && { ...factsOf(heard), durationSeconds }),
    }),
  ]);
  return 'published';
}

function factsOf({ channels, language }: NonNullable<Rescored['heard']>) {
  return { channels, ...(language !== null && { language }) };
}

/** Ends a re-analysis with a failure; the previous analysis stays current. False if it has already ended. */
export async function failReanalysis(
  tx: OrgTx,
  { analysisId, recordId }: Reanalysis,
  failure: Failure,
): Promise<boolean> {
  if (!(await queries.lockRecord(tx, recordId))) return false;
  await release(tx, await queries.selectReserved(tx, analysisId));
  return queries.markReanalysisFailed(tx, analysisId, failure);
}

/** Orders a stalled re-analysis again, at most once an hour, as the first order may just be late. */
export async function reannounceReanalysis(tx: OrgTx, reanalysis: Reanalysis, now: Date): Promise<void> {
  const hour = now.toISOString().slice(0, 13);
  await emitEvents(tx, [newEvent('analysis.process.requested', reanalysis, `${reanalysis.analysisId}:${hour}`)]);
}
