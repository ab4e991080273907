import { visibilityOf } from '../../auth/principal.ts';
import { AppError, notFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { reserveAnalysis } from '../billing/metering.ts';
import type { BilledContext } from '../context.ts';
import { emitEvents } from '../events.ts';
import { lockRecordOf } from './queries.ts';
import { insertReanalysis, selectReanalysisSubject, selectPresentProfile } from './reprocessing-queries.ts';
import type { ReanalysisReceipt, ReanalyzeInput } from './schemas.ts';

/**
 * Adds the next version of a record's analysis, `pending`, with the order to make it. Throws NOT_FOUND, CONFLICT while
 * the record is processed or re-analysed, UNPROCESSABLE for an unknown profile or without a recording to transcribe, BUDGET_EXCEEDED.
 */
export async function reanalyze(
  { db, actor, prices }: BilledContext,
  input: ReanalyzeInput,
): Promise<ReanalysisReceipt> {
  const { id: previousAnalysisId, profileId, retranscribe, reason } = input;
  return db.withOrg(actor.orgId, async (tx) => {
    if (!(await lockRecordOf(tx, previousAnalysisId, visibilityOf(actor)))) throw notFound('Analysis');
    const [subject, profile] = await Promise.all([
      selectReanalysisSubject(tx, previousAnalysisId),
      selectPresentProfile(tx, profileId),
    ]);
    if (!subject) throw notFound('Analysis');
    const { recordId, projectId, lastVersion, isRunning, recordStatus, hasRecording, contentDeletedAt } = subject;
    if (isRunning) throw new AppError('CONFLICT', 'A re-analysis of this record is under way.');
    if (recordStatus === 'pending' || recordStatus === 'processing') {
      throw new AppError('CONFLICT', 'The record is being processed.');
    }
    if (contentDeletedAt !== null) {
      throw new AppError('UNPROCESSABLE', 'The transcript was deleted at the end of its retention period.');
    }
    if (!profile) throw impossible('profileId', 'There is no such profile.');
    if (retranscribe && !hasRecording) throw impossible('retranscribe', 'The record has no recording to transcribe.');
    const id = newId('analysis');
    const createdAt = await insertReanalysis(tx, {
      id,
      recordId,
      projectId,
      version: lastVersion + 1,
      profile,
      retranscribe,
      reservedCost: await reserveAnalysis(tx, prices),
      reason: reason || null,
      requestedBy: actor.userId,
    });
    await emitEvents(tx, [
      {
        type: 'analysis.process.requested',
        data: { analysisId: id, recordId },
        dedupeKey: `analysis.process.requested:${id}`,
      },
    ]);
    return { id, previousAnalysisId, recordId, profileId, status: 'pending', createdAt };
  });
}

function impossible(path: string, message: string): AppError {
  return new AppError('UNPROCESSABLE', message, { details: [{ path, message }] });
}
