import type { OrgTx } from '../../db/scope.ts';
import type { Failure, Stage } from '../../model/record.ts';
import { newId } from '../../lib/ids.ts';
import { verdictOf } from '../../model/analysis.ts';
import { requestEvaluation } from '../alerts/evaluate.ts';
import { deleteModelAnswers } from '../analyses/model-answers.ts';
import type { Scorecard } from '../../model/scorecard.ts';
import { chargeRecord, release } from '../billing/metering.ts';
import type { Prices } from '../billing/prices.ts';
import { emitEvents, newEvent, type NewEvent } from '../events/service.ts';
import { reportRequest } from '../portals/report-request.ts';
import * as queries from './queries.ts';
import { deleteUpload, discardObject } from '../recordings/objects.ts';
import { insertNextTranscript } from '../transcripts/service.ts';
import { requireRedactedWords, requireRedaction } from '../transcripts/redaction-checks.ts';
import { requestMuting } from '../recordings/muting.ts';
import { saveWaveform } from '../recordings/waveform.ts';
import { isModelAsked, type KeptHeard, type ProcessingAttempt, type ScoredBy } from './attempt.ts';

export { selectScoringInput, selectSource } from './queries.ts';
export { selectReanalysisSource, selectRescoringInput } from './reprocessing-queries.ts';
export type { HeardTranscript, KeptHeard, ScoredBy } from './attempt.ts';
export { redactProject, withRedactedWords } from './redact-record.ts';
export {
  beginReanalysis,
  type BegunReanalysis,
  failReanalysis,
  publishReanalysis,
  reannounceReanalysis,
  saveRetranscript,
  touchReanalysis,
} from './reprocessing.ts';
export { retryAttempt } from './retry.ts';

export type Begun =
  | { outcome: 'begun'; needsRecording: boolean; needsTranscript: boolean }
  /** Deleted, superseded by a later attempt, or ended: there is nothing to do. */
  | { outcome: 'void' };

/** `pending → processing`. An interrupted attempt carries on. */
export async function beginProcessing(tx: OrgTx, attempt: ProcessingAttempt): Promise<Begun> {
  const row = await queries.markProcessing(tx, attempt);
  if (!row) return { outcome: 'void' };
  return { outcome: 'begun', needsRecording: row.needsRecording, needsTranscript: !row.hasTranscript };
}

/** Records the attempt's stage, and that it is alive. False when the attempt is void. */
export async function setStage(tx: OrgTx, attempt: ProcessingAttempt, stage: Stage): Promise<boolean> {
  return queries.updateProcessing(tx, attempt, { stage });
}

export type Recording = {
  storageKey: string;
  sizeBytes: number;
  sha256: string;
  contentType: string;
  fileName: string | null;
  /** According to the file's header. */
  durationMs: number | null;
  channels: number | null;
};

/**
 * Attaches a fetched recording. False when the attempt is void or has one already; then the removal of
 * the object just stored is ordered.
 */
export async function saveRecording(tx: OrgTx, attempt: ProcessingAttempt, recording: Recording): Promise<boolean> {
  const { storageKey, sizeBytes, sha256, contentType, fileName, durationMs, channels } = recording;
  const isSaved = await queries.attachRecording(tx, attempt, {
    storageKey,
    fileName,
    fileSizeBytes: sizeBytes,
    fileSha256: sha256,
    fileContentType: contentType,
    ...(durationMs === null ? {} : { durationSeconds: toSeconds(durationMs) }),
    ...(channels === null ? {} : { channels }),
  });
  if (!isSaved) await discardObject(tx, storageKey);
  else {
    await deleteUpload(tx, storageKey);
    await requestMuting(tx, attempt.recordId);
  }
  return isSaved;
}

/**
 * Stores what speech recognition heard, as the next version. False when the attempt is void. Call it through
 * `storingRedacted`.
 */
export async function saveTranscript(tx: OrgTx, attempt: ProcessingAttempt, heard: KeptHeard): Promise<boolean> {
  const { transcript, durationMs, channels, waveform } = heard;
  const isAlive = await queries.updateProcessing(tx, attempt, {
    stage: 'analyzing',
    passTranscriptVersion: queries.nextTranscript,
    durationSeconds: toSeconds(durationMs),
    channels,
    ...(transcript.language === null ? {} : { language: transcript.language }),
  });
  if (!isAlive) return false;
  await requireRedaction(tx, attempt.recordId, transcript);
  await insertNextTranscript(tx, attempt.recordId, { ...transcript, durationMs });
  await saveWaveform(tx, attempt.recordId, waveform);
  return true;
}

/**
 * Completes an attempt in one transaction: the analysis becomes the record's current one, the record is completed and
 * billed, and both are announced. Null, with nothing changed, when the attempt is void. Throws what `withRedactedWords`
 * waits for. The record comes last: its counters are shared with every other call of the project's day and stay locked
 * until the commit.
 */
export async function publishAnalysis(
  tx: OrgTx,
  attempt: ProcessingAttempt,
  { scorecard, scoredBy, prices }: { scorecard: Scorecard; scoredBy: ScoredBy; prices: Prices },
): Promise<{ analysisId: string } | null> {
  const [record] = await Promise.all([
    queries.lockProcessing(tx, attempt),
    requireRedactedWords(tx, attempt.recordId, scoredBy),
  ]);
  if (!record) return null;
  const analysisId = newId('analysis');
  const version = record.lastVersion + 1;
  const completedAt = new Date();
  const durationSeconds = record.durationSeconds ?? toSeconds(scoredBy.durationMs);
  const { metrics } = scorecard;
  const { recordId } = attempt;
  const { projectId } = record;
  const outcome = { analysisId, ...verdictOf(scorecard), reviewed: false, completedAt, durationSeconds };
  const call = { recordId, projectId, durationSeconds };
  const made = { recordId, projectId, version, completedAt, scorecard, scoredBy, prices };
  await Promise.all([
    ...(record.lastVersion > 0 ? [queries.retireAnalyses(tx, recordId)] : []),
    queries.insertAnalysis(tx, { id: analysisId, ...made }),
    ...(isModelAsked(scoredBy) ? [deleteModelAnswers(tx, recordId)] : []),
    requestEvaluation(tx, { ...call, analysisId, scores: scorecard, scoresBefore: null, metrics, review: null }),
    emitEvents(tx, completionEvents(attempt, { ...record, ...outcome, version })),
    chargeRecord(tx, prices, {
      ...call,
      isTranscribed: scoredBy.transcriptSource === 'speech-to-text',
      tokens: scoredBy.tokens,
      reservedCost: record.reservedCost,
    }),
    queries.completeRecord(tx, recordId, outcome),
  ]);
  return { analysisId };
}

type Completion = queries.LockedRecord &
  ReturnType<typeof verdictOf<Scorecard>> & {
    analysisId: string;
    version: number;
    completedAt: Date;
    durationSeconds: number;
  };

function completionEvents({ recordId, attempt }: ProcessingAttempt, completion: Completion): NewEvent[] {
  const { projectId, externalId, agentName, analysisId, version } = completion;
  const verdict = { analysisId, recordId, projectId, ...verdictOf(completion) };
  const facts = { status: 'completed' as const, duration: completion.durationSeconds, agentName, externalId };
  const createdAt = completion.createdAt.toISOString();
  const completedAt = completion.completedAt.toISOString();
  return [
    newEvent('analysis.completed', { ...verdict, version }, analysisId),
    ...reportRequest(completion.source, { recordId, analysisId }),
    newEvent('record.completed', { ...verdict, ...facts, createdAt, completedAt }, `${recordId}:${attempt}`),
  ];
}

/** Ends an attempt with a reason. False when the attempt is void or has already ended. */
export async function failRecord(tx: OrgTx, attempt: ProcessingAttempt, failure: Failure): Promise<boolean> {
  const reserved = await queries.lockReserved(tx, attempt);
  if (!reserved) return false;
  // Before locking the counters of the day, which accepting a call locks after the budget.
  await release(tx, reserved.reservedCost);
  const record = await queries.markFailed(tx, attempt, failure);
  if (!record) return false;
  const { projectId, externalId, createdAt } = record;
  const { recordId } = attempt;
  const facts = { recordId, projectId, externalId, createdAt: createdAt.toISOString() };
  const key = `${recordId}:${attempt.attempt}`;
  await emitEvents(tx, [newEvent('record.failed', { ...facts, status: 'failed', failure }, key)]);
  return true;
}

/** Orders an attempt again that nobody is working on, at most once an hour: the order may only be late. */
export async function reannounce(tx: OrgTx, { recordId, attempt }: ProcessingAttempt, now: Date): Promise<void> {
  const hour = now.toISOString().slice(0, 13);
  const key = `${recordId}:${attempt}:${hour}`;
  await emitEvents(tx, [newEvent('record.process.requested', { recordId, attempt }, key)]);
}

function toSeconds(durationMs: number): number {
  return Math.round(durationMs / 1000);
}
