import type { OrgTx } from '../../db/scope.ts';
import { emitEvents } from '../events/service.ts';
import { discardMuted } from './muting.ts';
import { deletionsOf } from './objects.ts';
import { deleteHeard } from './retention-queries.ts';

/** The columns of a record whose recording is fetched anew from this address. */
export function withoutRecording(recordingUrl: string) {
  const file = { fileName: null, fileSizeBytes: null, fileContentType: null, fileSha256: null, fileMissingMs: null };
  return { recordingUrl, storageKey: null, channels: null, ...file };
}

/**
 * Drops what was made of a recording that another one replaces: the object, its muted copy, its waveform, and what was
 * heard in it. A transcript that came with the call stays. The caller has locked the record.
 */
export async function discardRecording(
  tx: OrgTx,
  { id, storageKey }: { id: string; storageKey: string | null },
): Promise<void> {
  await deleteHeard(tx, id);
  await discardMuted(tx, [id]);
  await emitEvents(tx, deletionsOf([storageKey]));
}
