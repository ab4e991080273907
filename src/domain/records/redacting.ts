import type { OrgTx } from '../../db/scope.ts';
import type { HeavyWork } from '../heavy-work.ts';
import { emitEvents } from '../events/service.ts';
import type { KeptTranscript } from './kept-transcript.ts';
import { deleteUpload } from './processing-queries.ts';
import { depthOf, isShallower, type Redaction, type RedactionDepth } from '../../model/redaction.ts';
import * as queries from './redaction-queries.ts';

/** More is to be taken out, or was, than of the words that were read and that something is made of. */
export class UnredactedError extends Error {
  readonly asked: RedactionDepth;

  constructor(message: string, asked: RedactionDepth) {
    super(message);
    this.asked = asked;
  }
}

/** What is made of a transcript, and what had been taken out of it when it was read. */
export type WordsRead = { transcriptVersion: number; redaction: RedactionDepth };

/**
 * Sees, in the transaction that stores what was made of a transcript, that its words may still be shown. Throws what
 * `withRedactedWords` waits for.
 */
export async function requireRedactedWords(tx: OrgTx, recordId: string, { transcriptVersion, redaction }: WordsRead) {
  const depths = redaction === 'names' ? undefined : await queries.selectDepths(tx, recordId, transcriptVersion);
  if (!depths) return;
  const { asked, done } = depths;
  if (isShallower(redaction, asked) || isShallower(redaction, done)) {
    throw new UnredactedError('What was read has to be redacted.', asked);
  }
}

/**
 * Sees, in the transaction that stores a transcript, that it is redacted where the project asks for it. What was taken out
 * is kept nowhere. Throws what `storingRedacted` waits for.
 */
export async function requireRedaction(
  tx: OrgTx,
  recordId: string,
  transcript: Pick<KeptTranscript, 'redactions' | 'namesRedacted'>,
): Promise<void> {
  const policy = await queries.selectRedactionPolicy(tx, recordId);
  if (policy && isShallower(depthOf(transcript), policy.asked))
    throw new UnredactedError('The transcript has to be redacted.', policy.asked);
  if (policy && transcript.redactions !== null) await renewMuted(tx, recordId, policy.hasRecording);
}

/** Stores a transcript; redacted, where that was turned on at this very moment, by storing it once more. */
export async function storingRedacted<T>(
  { heavyWork, orgId }: { heavyWork: HeavyWork; orgId: string },
  transcript: KeptTranscript,
  store: (transcript: KeptTranscript) => Promise<T>,
): Promise<T> {
  try {
    return await store(transcript);
  } catch (error) {
    if (!(error instanceof UnredactedError)) throw error;
    const input = { transcript, redaction: error.asked, agentName: null };
    return store(await heavyWork.run('keepTranscript', input, { orgId, isAwaited: true }));
  }
}

/** A recording has come for a record whose transcript may be redacted already: then it has to be muted. */
export async function requestMuting(tx: OrgTx, recordId: string): Promise<void> {
  if (await queries.hasRedactedTranscript(tx, recordId)) await renewMuted(tx, recordId, true);
}

/** What was muted before is no longer enough: until it is muted anew, only those may listen who may hear everything. */
export async function renewMuted(tx: OrgTx, recordId: string, hasRecording: boolean): Promise<void> {
  const muted = await queries.deleteMuted(tx, recordId);
  await emitEvents(tx, [
    ...(muted?.storageKey
      ? [{ type: 'object.delete.requested' as const, data: { storageKey: muted.storageKey } }]
      : []),
    ...(hasRecording ? [{ type: 'recording.mute.requested' as const, data: { recordId } }] : []),
  ]);
}

/** Takes away what was muted of recordings that are to be deleted. */
export async function discardMuted(tx: OrgTx, recordIds: string[]): Promise<void> {
  const keys = await queries.deleteAllMuted(tx, recordIds);
  await emitEvents(
    tx,
    keys.map((storageKey) => ({ type: 'object.delete.requested' as const, data: { storageKey } })),
  );
}

export type MutingSource = { storageKey: string; contentType: string | null; redactions: Redaction[] };

/** What is to be muted; null where nothing is left to do. */
export async function getMutingSource(tx: OrgTx, recordId: string): Promise<MutingSource | null> {
  const source = await queries.lockMutingSource(tx, recordId);
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
    await queries.insertMuted(tx, recordId, made ?? { storageKey: null, sizeBytes: null, sha256: null });
  } else if (made) {
    await emitEvents(tx, [{ type: 'object.delete.requested', data: { storageKey: made.storageKey } }]);
  }
  return isCurrent;
}
