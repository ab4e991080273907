import { and, asc, eq, gte, inArray, isNull, lt, sql, type SQL } from 'drizzle-orm';
import { byId, ofRecord } from '../../db/keys.ts';
import type { OrgTx } from '../../db/scope.ts';
import {
  analyses,
  modelAnswers,
  projects,
  records,
  searchDocuments,
  transcripts,
  waveforms,
} from '../../db/schema/index.ts';

/** Locks the settings of the project, so that nobody removes the limit meanwhile. `until` is null if there is none. */
export async function lockRetention(tx: OrgTx, projectId: string) {
  const [row] = await tx
    .select({
      since: projects.retainedSince,
      until: sql<string | null>`(now() - make_interval(days => ${projects.retentionDays}))::text`,
    })
    .from(projects)
    .where(byId(tx, projects, projectId))
    .for('no key update');
  return row;
}

export type RetentionCursor = { createdAt: string; id: string };
export type Range = {
  projectId: string;
  since: Date | null;
  until: string;
  after: RetentionCursor | null;
  limit: number;
};

/** Locks the project's next records that still have content, in order of creation, by index. */
export function lockRetained(tx: OrgTx, { projectId, since, until, after, limit }: Range) {
  return tx
    .select({
      id: records.id,
      createdAt: records.createdAt,
      storageKey: records.storageKey,
      status: records.status,
    })
    .from(records)
    .where(
      and(
        eq(records.orgId, tx.orgId),
        eq(records.projectId, projectId),
        lt(records.createdAt, sql`${until}::timestamptz`),
        since ? gte(records.createdAt, since) : undefined,
        after ? sql`(${records.createdAt}, ${records.id}) > (${after.createdAt}::timestamptz, ${after.id})` : undefined,
        isNull(records.contentDeletedAt),
      ),
    )
    .orderBy(asc(records.createdAt), asc(records.id))
    .limit(limit)
    .for('no key update');
}

/** Records with a running re-analysis. Called after locking them, so that no further one can start. */
export async function selectReanalysed(tx: OrgTx, recordIds: string[]): Promise<Set<string>> {
  const rows = await tx
    .select({ recordId: analyses.recordId })
    .from(analyses)
    .where(
      and(
        eq(analyses.orgId, tx.orgId),
        inArray(analyses.recordId, recordIds),
        // Literals, as in the index that it uses.
        sql`${analyses.status} in ('pending', 'processing')`,
      ),
    );
  return new Set(rows.map(({ recordId }) => recordId));
}

/** Transcripts, a language model's answers that were never used in an analysis, and waveforms. */
export async function deleteContent(tx: OrgTx, recordIds: string[]): Promise<void> {
  for (const table of [transcripts, modelAnswers, waveforms]) {
    await tx.delete(table).where(and(eq(table.orgId, tx.orgId), inArray(table.recordId, recordIds)));
  }
}

/** What speech recognition has heard in a recording that is replaced, and its waveform. */
export async function deleteHeard(tx: OrgTx, recordId: string): Promise<void> {
  const heard = await tx
    .delete(transcripts)
    .where(and(ofRecord(tx, transcripts, recordId), eq(transcripts.source, 'speech-to-text')))
    .returning({ version: transcripts.version });
  await tx.delete(waveforms).where(ofRecord(tx, waveforms, recordId));
  if (heard.length > 0) await deleteTranscriptDocuments(tx, [recordId]);
}

/** Every version keeps its answers, scores and metrics, and loses the texts that quote or retell the call. */
export async function clearAnalyses(tx: OrgTx, recordIds: string[]): Promise<void> {
  await tx
    .update(analyses)
    .set({
      summary: '',
      improvements: [],
      topics: [],
      actionItems: [],
      checks: withoutWords(sql`${analyses.checks}`),
      complianceFindings: withoutWords(sql`${analyses.complianceFindings}`),
    })
    .where(and(eq(analyses.orgId, tx.orgId), inArray(analyses.recordId, recordIds)));
}

function withoutWords(results: SQL): SQL {
  return sql`(select coalesce(jsonb_agg(r.result || '{"rationale": "", "evidence": []}' order by r.place), '[]')
    from jsonb_array_elements(${results}) with ordinality as r(result, place))`;
}

/** Triggers update the other search documents of a record. */
export async function deleteTranscriptDocuments(tx: OrgTx, recordIds: string[]): Promise<void> {
  await tx
    .delete(searchDocuments)
    .where(
      and(
        eq(searchDocuments.orgId, tx.orgId),
        inArray(searchDocuments.recordId, recordIds),
        eq(searchDocuments.kind, 'transcript'),
      ),
    );
}

/** Deletes the address too: it leads to the recording, and may contain a key. */
export async function clearRecords(tx: OrgTx, recordIds: string[]): Promise<void> {
  await tx
    .update(records)
    .set({
      contentDeletedAt: sql`now()`,
      storageKey: null,
      recordingUrl: null,
      fileName: null,
      fileSizeBytes: null,
      fileContentType: null,
      fileSha256: null,
      fileMissingMs: null,
    })
    .where(and(eq(records.orgId, tx.orgId), inArray(records.id, recordIds)));
}

export async function setRetainedSince(tx: OrgTx, projectId: string, since: Date | SQL): Promise<void> {
  await tx
    .update(projects)
    .set({ retainedSince: since })
    .where(byId(tx, projects, projectId));
}
