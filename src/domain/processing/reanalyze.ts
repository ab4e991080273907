import { visibilityOf } from '../../auth/principal.ts';
import type { OrgTx } from '../../db/scope.ts';
import { AppError, notFound, notNow, unprocessable } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { reserveAnalysis } from '../billing/metering.ts';
import type { BilledContext } from '../context.ts';
import { emitEvents, newEvent } from '../events/service.ts';
import { lockRecordOf } from '../analyses/service.ts';
import { insertReanalysis, selectReanalysisSubject, selectPresentProfile } from './reprocessing-queries.ts';
import type { ReanalysisReceipt, ReanalyzeInput } from './schemas.ts';

/**
 * Creates the next version of a record's analysis as `pending`, and orders it. Throws NOT_FOUND, CONFLICT while the
 * record is processed or re-analysed or if a review would be replaced without consent, UNPROCESSABLE for an unknown
 * profile or without a recording to transcribe, BUDGET_EXCEEDED.
 */
export async function reanalyze(
  { db, actor, prices }: BilledContext,
  input: ReanalyzeInput,
): Promise<ReanalysisReceipt> {
  const { id: previousAnalysisId, profileId, retranscribe, replaceReview, reason } = input;
  return db.withOrg(actor.orgId, async (tx) => {
    if (!(await lockRecordOf(tx, previousAnalysisId, visibilityOf(actor)))) throw notFound('Analysis');
    const [subject, profile] = await Promise.all([
      selectReanalysisSubject(tx, previousAnalysisId),
      selectPresentProfile(tx, profileId),
    ]);
    if (!subject) throw notFound('Analysis');
    assertAtRest(subject);
    assertReplaceable(subject, replaceReview);
    if (!profile) throw unprocessable('profileId', 'There is no such profile.');
    if (retranscribe && !subject.hasRecording) {
      throw unprocessable('retranscribe', 'The record has no recording to transcribe.');
    }
    const ordered = { subject, profile, previousAnalysisId, retranscribe, reason: reason || null };
    return orderReanalysis(tx, { actor, prices }, { ...ordered, transcriptVersion: null });
  });
}

export type ReanalysisSubject = NonNullable<Awaited<ReturnType<typeof selectReanalysisSubject>>>;

/** Throws CONFLICT while the record is being worked on, UNPROCESSABLE once retention has deleted the transcript. */
export function assertAtRest({ isRunning, recordStatus, contentDeletedAt }: ReanalysisSubject): void {
  if (isRunning) throw notNow('A re-analysis of this record is under way.');
  if (recordStatus === 'pending' || recordStatus === 'processing') {
    throw notNow('The record is being processed.');
  }
  if (contentDeletedAt !== null) {
    throw new AppError('UNPROCESSABLE', 'The transcript was deleted at the end of its retention period.');
  }
}

/** Throws CONFLICT if the current analysis was reviewed and the request does not allow replacing the review. */
export function assertReplaceable({ reviewRevision }: ReanalysisSubject, replaceReview: boolean): void {
  if (reviewRevision === null || replaceReview) return;
  throw new AppError('CONFLICT', 'This call was reviewed, and a new analysis would replace the reviewed scores.', {
    details: [{ path: 'replaceReview', message: 'Send `true` to have the review replaced.' }],
  });
}

type Ordered = {
  subject: ReanalysisSubject;
  profile: { id: string; name: string; version: number };
  previousAnalysisId: string;
  retranscribe: boolean;
  /** The transcript to score, if it is not that of the current analysis. */
  transcriptVersion: number | null;
  reason: string | null;
};

/** Creates the next version in the transaction of the caller, who has locked the record. Throws BUDGET_EXCEEDED. */
export async function orderReanalysis(
  tx: OrgTx,
  { actor, prices }: Pick<BilledContext, 'actor' | 'prices'>,
  { subject, previousAnalysisId, ...ordered }: Ordered,
): Promise<ReanalysisReceipt> {
  const { recordId, projectId, lastVersion, reviewRevision: replacesRevision } = subject;
  const id = newId('analysis');
  const createdAt = await insertReanalysis(tx, {
    ...ordered,
    id,
    recordId,
    projectId,
    version: lastVersion + 1,
    replacesRevision,
    reservedCost: await reserveAnalysis(tx, prices),
    requestedBy: actor.userId,
  });
  await emitEvents(tx, [newEvent('analysis.process.requested', { analysisId: id, recordId }, id)]);
  return { id, previousAnalysisId, recordId, profileId: ordered.profile.id, status: 'pending', createdAt };
}
