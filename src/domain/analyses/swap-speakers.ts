import { visibilityOf } from '../../auth/principal.ts';
import type { OrgTx } from '../../db/scope.ts';
import { AppError, notFound } from '../../lib/errors.ts';
import type { BilledContext } from '../context.ts';
import { emitEvents } from '../events.ts';
import type { ChannelMap } from '../records/channel-map.ts';
import { insertNextTranscript } from '../records/processing-queries.ts';
import { lockRecord, selectTranscript, updateRecord, type RecordRow } from '../records/queries.ts';
import { getMutingSource } from '../records/redacting.ts';
import type { SwapSpeakersInput } from '../records/schemas.ts';
import type { Segment, Speaker, SpeakerRole } from '../records/transcript.ts';
import { conflictWith } from '../state-conflict.ts';
import { assertAtRest, orderReanalysis, type ReanalysisSubject } from './reanalyze.ts';
import { selectPresentProfile, selectProfileIds, selectReanalysisSubject } from './reprocessing-queries.ts';
import type { ReanalysisReceipt } from './schemas.ts';

/**
 * Orders a further analysis of a call with its two parties swapped. Their transcript is the next version, which the record
 * shows with the analysis that rests on it. Throws NOT_FOUND, CONFLICT unless the record is completed and at rest, UNPROCESSABLE
 * unless two roles speak, BUDGET_EXCEEDED.
 */
export async function swapSpeakers(
  { db, actor, prices }: BilledContext,
  { id, reason }: SwapSpeakersInput,
): Promise<ReanalysisReceipt> {
  return db.withOrg(actor.orgId, async (tx) => {
    const record = await lockRecord(tx, id, visibilityOf(actor));
    if (!record) throw notFound('Record');
    const { analysisId } = record;
    const subject = analysisId === null ? undefined : await selectReanalysisSubject(tx, analysisId);
    if (analysisId === null || !subject || record.status !== 'completed') {
      throw conflictWith(record.status, `A record that is ${record.status} has no speakers to swap.`);
    }
    assertAtRest(subject);
    const profile = await profileFor(tx, analysisId, subject);
    const transcriptVersion = await insertSwapped(tx, record);
    const ordered = { subject, profile, previousAnalysisId: analysisId, transcriptVersion };
    return orderReanalysis(tx, { actor, prices }, { ...ordered, retranscribe: false, reason: reason || null });
  });
}

/** That of the current analysis, in its present version; where it was deleted, that of the project. */
async function profileFor(tx: OrgTx, analysisId: string, { projectId }: ReanalysisSubject) {
  for (const id of await selectProfileIds(tx, { analysisId, projectId })) {
    const profile = await selectPresentProfile(tx, id);
    if (profile) return profile;
  }
  throw new AppError('UNPROCESSABLE', 'The profile of the project was deleted.');
}

async function insertSwapped(tx: OrgTx, record: RecordRow): Promise<number> {
  const transcript = await selectTranscript(tx, record.id);
  if (!transcript) throw new AppError('UNPROCESSABLE', 'The record has no transcript.');
  const swap = swapOf(transcript.segments);
  const segments = transcript.segments.map((segment) => ({ ...segment, role: swap(segment.role) }));
  const speakers = swapSpeakerNames(transcript.speakers, swap, record.agentName);
  const durationMs = transcript.durationMs ?? (record.durationSeconds ?? 0) * 1000;
  const text = segments.map((segment) => segment.text).join('\n');
  const version = await insertNextTranscript(tx, record.id, { ...transcript, segments, speakers, durationMs, text });
  const channelMap = channelMapOf(segments);
  if (channelMap) await updateRecord(tx, record.id, { channelMap });
  // Whoever mutes it at the moment finds one transcript more than before, and leaves it.
  if (await getMutingSource(tx, record.id)) {
    await emitEvents(tx, [{ type: 'recording.mute.requested', data: { recordId: record.id } }]);
  }
  return version;
}

type Swap = (role: SpeakerRole) => SpeakerRole;

/** Throws UNPROCESSABLE unless exactly two roles speak, announcements aside. */
function swapOf(segments: readonly Segment[]): Swap {
  const [first, second, ...others] = new Set(segments.map(({ role }) => role).filter((role) => role !== 'ivr'));
  if (first === undefined || second === undefined || others.length > 0) {
    throw new AppError('UNPROCESSABLE', 'The transcript does not have exactly two roles that speak.');
  }
  return (role) => (role === first ? second : role === second ? first : role);
}

/** The name that the record has for its agent goes with the role; any other belongs to the voice. */
function swapSpeakerNames(speakers: readonly Speaker[], swap: Swap, agentName: string | null): Speaker[] {
  return speakers.map(({ id, role, name }) => {
    const own = name === agentName ? null : name;
    return { id, role: swap(role), name: swap(role) === 'agent' ? (own ?? agentName) : own };
  });
}

/** For the next time that the recording is transcribed; null where two speak on one channel. */
function channelMapOf(segments: readonly Segment[]): ChannelMap | null {
  const roles = new Map<number, Set<SpeakerRole>>();
  for (const { channel, role } of segments) roles.set(channel, (roles.get(channel) ?? new Set()).add(role));
  if (roles.size < 2 || [...roles.values()].some(({ size }) => size > 1)) return null;
  return Object.fromEntries([...roles].flatMap(([channel, [role]]) => (role ? [[String(channel), role]] : [])));
}
