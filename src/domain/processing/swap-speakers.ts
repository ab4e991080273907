import { visibilityOf, type Actor } from '../../auth/principal.ts';
import type { OrgTx } from '../../db/scope.ts';
import { AppError, notFound, notNow } from '../../lib/errors.ts';
import type { BilledContext, HeavyContext } from '../context.ts';
import { newEvent, emitEvents } from '../events/service.ts';
import { insertNextTranscript, selectKeptTranscript } from '../transcripts/service.ts';
import { lockRecord, updateRecord } from '../records/service.ts';
import { type RecordRow } from '../records/rows.ts';
import { depthOf } from '../../model/redaction.ts';
import { getMutingSource } from '../recordings/muting.ts';
import type { SwapSpeakersInput, ReanalysisReceipt } from './schemas.ts';
import { conflictWith } from '../state-conflict.ts';
import { assertAtRest, assertReplaceable, orderReanalysis, type ReanalysisSubject } from './reanalyze.ts';
import { selectPresentProfile, selectProfileIds, selectReanalysisSubject } from './reprocessing-queries.ts';
import type { SwappedWords } from './swap-roles.ts';

/**
 * Orders a further analysis of a call with its two parties swapped. The swapped transcript is a new version, which the
 * record shows together with the analysis based on it. Throws NOT_FOUND, CONFLICT unless the record is completed, idle
 * and not reviewed (or the review may be replaced), UNPROCESSABLE unless two roles speak, BUDGET_EXCEEDED.
 */
export async function swapSpeakers(
  { db, actor, prices, heavyWork }: BilledContext & HeavyContext,
  { id, replaceReview, reason }: SwapSpeakersInput,
): Promise<ReanalysisReceipt> {
  const { orgId } = actor;
  const { record, transcript } = await db.withOrg(orgId, (tx) => readCall(tx, actor, { id, replaceReview }));
  const { speakers, segments } = transcript;
  const words = { speakers, segments, agentName: record.agentName };
  const swapped = await heavyWork.run('swapRoles', words, { orgId, isAwaited: true });
  return db.withOrg(orgId, async (tx) => {
    const { analysisId, subject, ...present } = await readCall(tx, actor, { id, replaceReview });
    if (!isSame(present.transcript, transcript)) {
      throw notNow('The transcript has changed at this moment. Try again.', 1);
    }
    const profile = await profileFor(tx, analysisId, subject);
    const transcriptVersion = await insertSwapped(tx, present, swapped);
    const ordered = { subject, profile, previousAnalysisId: analysisId, transcriptVersion };
    return orderReanalysis(tx, { actor, prices }, { ...ordered, retranscribe: false, reason: reason || null });
  });
}

type ShownTranscript = NonNullable<Awaited<ReturnType<typeof selectKeptTranscript>>>;

/** Whether the transcript is unchanged: not replaced, and not redacted further. */
function isSame(one: ShownTranscript, other: ShownTranscript): boolean {
  return one.version === other.version && depthOf(one) === depthOf(other);
}

/** Checks and reads the call to swap. The record stays locked until the transaction ends. */
async function readCall(
  tx: OrgTx,
  actor: Actor,
  { id, replaceReview }: Pick<SwapSpeakersInput, 'id' | 'replaceReview'>,
) {
  const record = await lockRecord(tx, id, visibilityOf(actor));
  if (!record) throw notFound('Record');
  const { analysisId } = record;
  const subject = analysisId === null ? undefined : await selectReanalysisSubject(tx, analysisId);
  if (analysisId === null || !subject || record.status !== 'completed') {
    throw conflictWith(record.status, `A record that is ${record.status} has no speakers to swap.`);
  }
  assertAtRest(subject);
  assertReplaceable(subject, replaceReview);
  const transcript = await selectKeptTranscript(tx, record.id);
  if (!transcript) throw new AppError('UNPROCESSABLE', 'The record has no transcript.');
  return { analysisId, subject, record, transcript };
}

/** The current version of the current analysis's profile or, if that was deleted, of the project's. */
async function profileFor(tx: OrgTx, analysisId: string, { projectId }: ReanalysisSubject) {
  for (const id of await selectProfileIds(tx, { analysisId, projectId })) {
    const profile = await selectPresentProfile(tx, id);
    if (profile) return profile;
  }
  throw new AppError('UNPROCESSABLE', 'The profile of the project was deleted.');
}

type Shown = { record: RecordRow; transcript: ShownTranscript };

async function insertSwapped(tx: OrgTx, { record, transcript }: Shown, swapped: SwappedWords): Promise<number> {
  const { speakers, segments, channelMap } = swapped;
  const durationMs = transcript.durationMs ?? (record.durationSeconds ?? 0) * 1000;
  const version = await insertNextTranscript(tx, record.id, { ...transcript, segments, speakers, durationMs });
  if (channelMap) await updateRecord(tx, record.id, { channelMap });
  // A muting in progress finds one transcript more than before, and stops.
  if (await getMutingSource(tx, record.id)) {
    await emitEvents(tx, [newEvent('recording.mute.requested', { recordId: record.id })]);
  }
  return version;
}
