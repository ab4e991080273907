import type { OrgTx } from '../../db/scope.ts';
import { emitEvents } from '../events/service.ts';
import { deleteUpload } from './queries.ts';
import { type Redaction } from '../../model/redaction.ts';
import { hasRedactedTranscript, deleteMuted, deleteAllMuted, lockMutingSource, insertMuted } from './muting-queries.ts';

/** A recording has come for a record whose transcript may be redacted already: then it has to be muted. */
export async function requestMuting(tx: OrgTx, recordId: string): Promise<void> {
  if (await hasRedactedTranscript(tx, recordId)) await renewMuted(tx, recordId, true);
}

/** What was muted before is no longer enough: until it is muted anew, only those may listen who may hear everything. */
export async function renewMuted(tx: OrgTx, recordId: string, hasRecording: boolean): Promise<void> {
  const muted = await deleteMuted(tx, recordId);
  await emitEvents(tx, [
    ...(muted?.storageKey
      ? [{ type: 'object.delete.requested' as const, data: { storageKey: muted.storageKey } }]
      : []),
    ...(hasRecording ? [{ type: 'recording.mute.requested' as const, data: { recordId } }] : []),
  ]);
}

/** Takes away what was muted of recordings that are to be deleted. */
export async function discardMuted(tx: OrgTx, recordIds: string[]): Promise<void> {
  const keys = await deleteAllMuted(tx, recordIds);
  await emitEvents(
    tx,
    keys.map((storageKey) => ({ type: 'object.delete.requested' as const, data: { storageKey } })),
  );
}

export type MutingSource = { storageKey: string; contentType: string | null; redactions: Redaction[] };

/** What is to be muted; null where nothing is left to do. */
export async function getMutingSource(tx: OrgTx, recordId: string): Promise<MutingSource | null> {
  const source = await lockMutingSource(tx, recordId);
  if (!source?.storageKey || !source.isRedacted || source.isMuted) return null;
  const { storageKey, contentType, redactions } = source;
  return { storageKey, contentType, redactions };
}

export type MutedObject = { storageKey: string; sizeBytes: number; sha256: string };

/**
 * Attaches a muted recording, or none where nothing was to be muted. False when there is nothing to attach it to, or
 * more has been redacted meanwhile: then an object that was stored for nothing is ordered to be removed.
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
    await emitEvents(tx, [{ type: 'object.delete.requested', data: { storageKey: made.storageKey } }]);
  }
  return isCurrent;
}
