import { hearsEverything, visibilityOf, type Member } from '../../auth/principal.ts';
import type { Database } from '../../db/scope.ts';
import { AppError, notFound, notNow } from '../../lib/errors.ts';
import { selectRecording } from './queries.ts';
import type { PlaybackContext } from '../context.ts';
import { notMade } from '../state-conflict.ts';
import { goneWithRetention } from '../gone-with-retention.ts';
import type { Playback, PlaybackInput } from './schemas.ts';

export { getMutingSource, type MutedObject, type MutingSource, saveMuted } from './muting.ts';
export { discardRecording, withoutRecording } from './replacement.ts';
export { discardObject, insertUpload, isObjectInUse } from './objects.ts';
export { retentionStart, deleteExpiredContent } from './retention.ts';
export { getDrawingSource, saveNoWaveform, saveWaveform } from './waveform.ts';

export const mediaPath = '/media';
const playbackMs = 10 * 60_000;

export type RecordingInput = {
  id: string;
  /** Whether redacted stretches are muted; undefined for the most complete version that the actor may hear. */
  redacted: boolean | undefined;
};

export type PlayableRecording = {
  storageKey: string;
  fileName: string | null;
  contentType: string;
  sizeBytes: number;
  sha256: string;
};

/**
 * The recording of a record, or its muted copy: on request, and for all roles below admin if the project redacts.
 * Throws NOT_FOUND, also once retention has deleted it, FORBIDDEN if the actor asks for more than they may hear,
 * CONFLICT while the copy is not ready.
 */
export async function getRecording(
  { db, actor }: { db: Database; actor: Member },
  { id, redacted }: RecordingInput,
): Promise<PlayableRecording> {
  const row = await db.findInOrg(actor.orgId, (tx) => selectRecording(tx, id, visibilityOf(actor)));
  if (!row) throw notFound('Record');
  if (row.contentDeletedAt !== null) throw goneWithRetention('recording');
  const isLimited = row.isRedacted && !hearsEverything(actor);
  if (isLimited && redacted === false) {
    throw new AppError('FORBIDDEN', 'Only owners and admins may hear what this project redacts.');
  }
  const { storageKey, fileName, contentType, sizeBytes, sha256, muted } = row;
  if (storageKey === null || contentType === null || sizeBytes === null || sha256 === null) {
    throw notMade('recording', row);
  }
  const original = { storageKey, fileName, contentType, sizeBytes, sha256 };
  if (!isLimited && redacted !== true) return original;
  if (!muted) {
    throw notNow('There is no redacted recording yet.');
  }
  return muted.storageKey === null ? original : { ...original, ...muted };
}

/**
 * An address of the recording for media players, which send no credentials. Valid for ten minutes; each request checks
 * what the actor may hear at that time. Throws NOT_FOUND, FORBIDDEN or CONFLICT, as the recording itself does.
 */
export async function createPlayback(
  { tickets, ...ctx }: PlaybackContext,
  { id, redacted }: PlaybackInput,
): Promise<Playback> {
  await getRecording(ctx, { id, redacted });
  const { orgId, userId } = ctx.actor;
  const expiresAt = new Date(Date.now() + playbackMs);
  const ticket = tickets.issue({ orgId, userId, recordId: id, redacted: redacted ?? null, expiresAt });
  return { url: `${mediaPath}/${ticket}`, expiresAt };
}
