import { and, eq, sql } from 'drizzle-orm';
import { ofRecord } from '../../db/keys.ts';
import type { OrgTx } from '../../db/scope.ts';
import { records, transcripts } from '../../db/schema/index.ts';
import type { Visibility } from '../../auth/principal.ts';
import { createStatements } from '../../db/driver/statements.ts';
import { givenVisibility, visibilityValues, visibleRecords } from '../visible-records.ts';
import type { TranscriptPart } from '../../model/transcript.ts';
import type { KeptTranscript } from './kept-transcript.ts';
import { shownFirst } from '../shown-transcript.ts';
import { keptTranscriptColumns, asSegments } from './columns.ts';

const ask = createStatements();

/** The transcript's record, as far as it matters for the transcript. */
export async function selectSubject(tx: OrgTx, id: string, visibility: Visibility) {
  const [row] = await ask(tx, {
    values: { orgId: tx.orgId, id, ...visibilityValues(visibility) },
    build: (db, given) =>
      db
        .select({
          contentDeletedAt: records.contentDeletedAt,
          status: records.status,
          failure: records.failure,
        })
        .from(records)
        .where(and(eq(records.orgId, given.orgId), eq(records.id, given.id), visibleRecords(givenVisibility(given)))),
  });
  return row;
}

export async function hasSuppliedTranscript(tx: OrgTx, recordId: string): Promise<boolean> {
  const rows = await tx
    .select({ version: transcripts.version })
    .from(transcripts)
    .where(and(ofRecord(tx, transcripts, recordId), eq(transcripts.source, 'supplied')))
    .limit(1);
  return rows.length > 0;
}

/** Like `selectShownTranscript`, without the text. */
export async function selectKeptTranscript(tx: OrgTx, recordId: string) {
  const [row] = await tx
    .select(keptTranscriptColumns)
    .from(transcripts)
    .where(ofRecord(tx, transcripts, recordId))
    .orderBy(...shownFirst(tx, recordId))
    .limit(1);
  return row;
}

/** The text, line by line, if the transcript is too long for its segments to be parsed while answering requests. */
const longText = sql<string | null>`case when pg_column_size(${transcripts.segments}) > 50000 then (
  select string_agg(s.segment ->> 'text', E'\\n' order by s.number)
    from jsonb_array_elements(${transcripts.segments}) with ordinality as s(segment, number)) end`;

/** The transcript that the current analysis is based on, so that its evidence fits; the latest until there is one. */
export async function selectShownTranscript(tx: OrgTx, recordId: string) {
  const [row] = await tx
    .select({ ...keptTranscriptColumns, longText })
    .from(transcripts)
    .where(ofRecord(tx, transcripts, recordId))
    .orderBy(...shownFirst(tx, recordId))
    .limit(1);
  return row;
}

/** `count` segments of that transcript, the first of them at position `from`. Only these leave the database. */
export async function selectTranscriptPart(
  tx: OrgTx,
  recordId: string,
  { from, count }: { from: number; count: number },
) {
  const all = transcripts.segments;
  const [row] = await tx
    .select({
      language: transcripts.language,
      speakers: transcripts.speakers,
      total: sql<number>`jsonb_array_length(${all})`,
      segments: sql<TranscriptPart['segments']>`(
        select coalesce(jsonb_agg((${all} -> place) - '{words,channel,confidence}'::text[] order by place), '[]')
          from generate_series(${from}::int, least(${from}::int + ${count}::int, jsonb_array_length(${all})) - 1) place)`,
    })
    .from(transcripts)
    .where(ofRecord(tx, transcripts, recordId))
    .orderBy(...shownFirst(tx, recordId))
    .limit(1);
  return row;
}

export async function insertTranscript(
  tx: OrgTx,
  { segments, ...transcript }: KeptTranscript & { version: number },
): Promise<void> {
  await tx
    .insert(transcripts)
    .values({ ...transcript, segments: asSegments(segments), orgId: tx.orgId })
    .onConflictDoNothing();
}

/** Returns the number of the new version. */
export async function insertNextTranscript(
  tx: OrgTx,
  recordId: string,
  transcript: KeptTranscript & { durationMs: number },
): Promise<number> {
  const { language, source, model, channels, speakers, segments, durationMs, redactions, namesRedacted } = transcript;
  const version = sql`(select coalesce(max(version), 0) + 1 from ${transcripts} where org_id = ${tx.orgId} and record_id = ${recordId})`;
  const [row] = await tx
    .insert(transcripts)
    .values({
      orgId: tx.orgId,
      recordId,
      version,
      language,
      source,
      model,
      channels,
      durationMs,
      speakers,
      segments: asSegments(segments),
      redactions,
      namesRedacted,
    })
    .returning({ version: transcripts.version });
  if (!row) throw new Error('The database answered nothing.');
  return row.version;
}
