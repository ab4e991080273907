import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm';
import { byId, ofRecord } from '../../db/keys.ts';
import type { OrgTx } from '../../db/scope.ts';
import { mutedRecordings, records, transcripts } from '../../db/schema/index.ts';

export async function hasRedactedTranscript(tx: OrgTx, recordId: string): Promise<boolean> {
  const rows = await tx
    .select({ version: transcripts.version })
    .from(transcripts)
    .where(and(ofRecord(tx, transcripts, recordId), isNotNull(transcripts.redactions)))
    .limit(1);
  return rows.length > 0;
}

/** Returns the keys of their objects. */
export async function deleteAllMuted(tx: OrgTx, recordIds: string[]): Promise<string[]> {
  const rows = await tx
    .delete(mutedRecordings)
    .where(and(eq(mutedRecordings.orgId, tx.orgId), inArray(mutedRecordings.recordId, recordIds)))
    .returning({ storageKey: mutedRecordings.storageKey });
  return rows.flatMap(({ storageKey }) => storageKey ?? []);
}

/** Undefined if there was none. */
export async function deleteMuted(tx: OrgTx, recordId: string) {
  const [row] = await tx
    .delete(mutedRecordings)
    .where(ofRecord(tx, mutedRecordings, recordId))
    .returning({ storageKey: mutedRecordings.storageKey });
  return row;
}

/**
 * The recording, and all stretches that are redacted in any of its transcripts. The record stays locked until the
 * transaction ends.
 */
export async function lockMutingSource(tx: OrgTx, recordId: string) {
  const [record] = await tx
    .select({ storageKey: records.storageKey, contentType: records.fileContentType })
    .from(records)
    .where(byId(tx, records, recordId))
    .for('no key update');
  if (!record) return undefined;
  const rows = await tx
    .select({ redactions: transcripts.redactions })
    .from(transcripts)
    .where(and(ofRecord(tx, transcripts, recordId), isNotNull(transcripts.redactions)))
    .orderBy(asc(transcripts.version));
  const muted = await tx
    .select({ recordId: mutedRecordings.recordId })
    .from(mutedRecordings)
    .where(ofRecord(tx, mutedRecordings, recordId));
  return {
    ...record,
    isRedacted: rows.length > 0,
    isMuted: muted.length > 0,
    redactions: rows.flatMap(({ redactions }) => redactions ?? []),
  };
}

type MutedObject = { storageKey: string | null; sizeBytes: number | null; sha256: string | null };

export async function insertMuted(tx: OrgTx, recordId: string, muted: MutedObject): Promise<void> {
  await tx.insert(mutedRecordings).values({ ...muted, orgId: tx.orgId, recordId });
}
