import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { Visibility } from '../../auth/principal.ts';
import { byId, ofRecord, projectOfRecord } from '../../db/keys.ts';
import type { OrgTx } from '../../db/scope.ts';
import { mutedRecordings, projects, records, transcripts, waveforms } from '../../db/schema/index.ts';
import type { Redaction } from '../../model/redaction.ts';
import { shownFirst } from '../shown-transcript.ts';
import { visibleRecords } from '../visible-records.ts';
import type { SpeakerRole } from '../../model/transcript.ts';
import type { DrawnWaveform } from '../../model/waveform.ts';

export type WaveformRow = typeof waveforms.$inferSelect;

/**
 * Whether there is a recording that no attempt is going to decode, whether its project redacts, and whether it has a
 * muted copy.
 */
export async function selectDrawable(tx: OrgTx, id: string, visibility: Visibility) {
  const [row] = await tx
    .select({
      isDrawable: sql<boolean>`${records.storageKey} is not null and ${records.status} in ('completed', 'failed')`,
      isRedacted: projects.redactPii,
      isMuted: sql<boolean>`${mutedRecordings.recordId} is not null`,
    })
    .from(records)
    .innerJoin(projects, projectOfRecord)
    .leftJoin(mutedRecordings, and(eq(mutedRecordings.orgId, records.orgId), eq(mutedRecordings.recordId, records.id)))
    .where(and(byId(tx, records, id), visibleRecords(visibility)));
  return row;
}

export async function selectWaveform(tx: OrgTx, recordId: string): Promise<WaveformRow | undefined> {
  const [row] = await tx
    .select()
    .from(waveforms)
    .where(ofRecord(tx, waveforms, recordId));
  return row;
}

/** All stretches that are redacted in any transcript of the recording; its muted copy is silent there. */
export async function selectRedactions(tx: OrgTx, recordId: string): Promise<Redaction[]> {
  const rows = await tx
    .select({ redactions: transcripts.redactions })
    .from(transcripts)
    .where(and(ofRecord(tx, transcripts, recordId), isNotNull(transcripts.redactions)));
  return rows.flatMap(({ redactions }) => redactions ?? []);
}

/** Who speaks on which channel, according to the shown transcript. */
export function selectVoices(tx: OrgTx, recordId: string) {
  const shown = tx
    .select({ segments: transcripts.segments })
    .from(transcripts)
    .where(ofRecord(tx, transcripts, recordId))
    .orderBy(...shownFirst(tx, recordId))
    .limit(1);
  return tx
    .selectDistinct({
      channel: sql<number>`(segment->>'channel')::int`,
      role: sql<SpeakerRole>`segment->>'role'`,
    })
    .from(sql`(${shown}) shown, jsonb_array_elements(shown.segments) segment`);
}

export async function updateMissing(tx: OrgTx, recordId: string, missingMs: number): Promise<void> {
  await tx
    .update(records)
    .set({ fileMissingMs: missingMs })
    .where(byId(tx, records, recordId));
}

export async function upsertWaveform(
  tx: OrgTx,
  recordId: string,
  drawn: Omit<DrawnWaveform, 'levels' | 'missingMs'> & { levels: Buffer | null },
): Promise<void> {
  const target = [waveforms.orgId, waveforms.recordId];
  await tx
    .insert(waveforms)
    .values({ ...drawn, orgId: tx.orgId, recordId })
    .onConflictDoUpdate({ target, set: drawn });
}

export async function lockDrawingSource(tx: OrgTx, recordId: string) {
  const [record] = await tx
    .select({ storageKey: records.storageKey, contentType: records.fileContentType })
    .from(records)
    .where(byId(tx, records, recordId))
    .for('no key update');
  return record && { ...record, isDrawn: (await selectWaveform(tx, recordId)) !== undefined };
}
