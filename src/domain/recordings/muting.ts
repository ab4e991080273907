import type { OrgTx } from '../../db/scope.ts';
import { newEvent, emitEvents } from '../events/service.ts';
import { deletionsOf } from './objects.ts';
import { deleteUpload } from './queries.ts';
import { type Redaction } from '../../model/redaction.ts';
import { hasRedactedTranscript, deleteMuted, deleteAllMuted, lockMutingSource, insertMuted } from './muting-queries.ts';

/** If the record's transcript is redacted already, its new recording must be muted. */
export async function requestMuting(tx: OrgTx, recordId: string): Promise<void> {
  if (await hasRedactedTranscript(tx, recordId)) await renewMuted(tx, recordId, true);
}

/**
 * Drops the muted copy, which is out of date. Until there is a new one, only people who may hear the original can
 * listen.
 */
export async function renewMuted(tx: OrgTx, recordId: string, hasRecording: boolean): Promise<void> {
  const muted = await deleteMuted(tx, recordId);
  await emitEvents(tx, [
    ...deletionsOf([muted?.storageKey]),
    ...(hasRecording ? [newEvent('recording.mute.requested', { recordId })] : []),
  ]);
}

/** Deletes the muted copies of recordings that are about to be deleted. */
export async function discardMuted(tx: OrgTx, recordIds: string[]): Promise<void> {
  const keys = await deleteAllMuted(tx, recordIds);
  await emitEvents(tx, deletionsOf(keys));
}

export type MutingSource = { storageKey: string; contentType: string | null; redactions: Redaction[] };

/** The recording to mute; null if there is nothing left to do. */
export async function getMutingSource(tx: OrgTx, recordId: string): Promise<MutingSource | null> {
  const source = await lockMutingSource(tx, recordId);
  if (!source?.storageKey || !source.isRedacted || source.isMuted) return null;
  const { storageKey, contentType, redactions } = source;
  return { storageKey, contentType, redactions };
}

export type MutedObject = { storageKey: string; sizeBytes: number; sha256: string };

/**
 * Attaches a muted copy, or the fact that nothing needs muting. False if the record is gone or more was redacted
 * meanwhile; then the superfluous object is scheduled for deletion.
 */
export async function saveMuted(
  tx: OrgTx,
  recordId: string,
  { made, from }: { made: MutedObject | null; from: MutingSource },
): Promise<boolean> {
  const now = await getMutingSource(tx, recordId);
  const isCurrent = now !== null && JSON.stringify(now) === JSON.stringify(from);
  if (made) await deleteUpload(tx, made.storageKey);
  if (isCurrent) {
    await insertMuted(tx, recordId, made ?? { storageKey: null, sizeBytes: null, sha256: null });
  } else if (made) {
    await emitEvents(tx, deletionsOf([made.storageKey]));
  }
  return isCurrent;
}
