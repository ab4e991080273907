import { and, asc, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import type { OrgTx } from '../../db/scope.ts';
import { analyses, mutedRecordings, projects, records, transcripts } from '../../db/schema/index.ts';
import type { Redaction } from './redaction.ts';
import { asSegments, keptTranscriptColumns } from './queries.ts';
import type { Speaker } from './transcript.ts';

/** Whether the project of a record asks for redaction, and what of the record there is to mute. */
export async function selectRedactionPolicy(tx: OrgTx, recordId: string) {
  const [row] = await tx
    .select({ isAsked: projects.redactPii, hasRecording: sql<boolean>`${records.storageKey} is not null` })
    .from(records)
    .innerJoin(projects, and(eq(projects.orgId, records.orgId), eq(projects.id, records.projectId)))
    .where(oneRecord(tx, recordId));
  return row;
}

/** Whether the words of a transcript are not what they may be, or not what they were: the project asks, or they are redacted. */
export async function selectIsRedactionDue(tx: OrgTx, recordId: string, version: number): Promise<boolean> {
  const [row] = await tx
    .select({ isDue: sql<boolean>`${projects.redactPii} or ${transcripts.redactions} is not null` })
    .from(records)
    .innerJoin(projects, and(eq(projects.orgId, records.orgId), eq(projects.id, records.projectId)))
    .leftJoin(
      transcripts,
      and(eq(transcripts.orgId, records.orgId), eq(transcripts.recordId, records.id), eq(transcripts.version, version)),
    )
    .where(oneRecord(tx, recordId));
  return row?.isDue ?? false;
}

/** Holds a record whose content is still there until the transaction ends. */
export async function lockRedactable(tx: OrgTx, recordId: string) {
  const [row] = await tx
    .select({ hasRecording: sql<boolean>`${records.storageKey} is not null` })
    .from(records)
    .where(and(oneRecord(tx, recordId), isNull(records.contentDeletedAt)))
    .for('no key update');
  return row;
}

export async function hasRedactedTranscript(tx: OrgTx, recordId: string): Promise<boolean> {
  const rows = await tx
    .select({ version: transcripts.version })
    .from(transcripts)
    .where(and(oneTranscript(tx, recordId), isNotNull(transcripts.redactions)))
    .limit(1);
  return rows.length > 0;
}

/** Transcripts of a record as they were heard, their segments as JSON. */
export async function selectUnredacted(tx: OrgTx, recordId: string) {
  return tx
    .select({ version: transcripts.version, speakers: transcripts.speakers, segments: keptTranscriptColumns.segments })
    .from(transcripts)
    .where(and(oneTranscript(tx, recordId), isNull(transcripts.redactions)))
    .orderBy(asc(transcripts.version));
}

/** Undefined where there is no such project. */
export async function selectProjectRedacts(tx: OrgTx, projectId: string): Promise<boolean | undefined> {
  const [row] = await tx
    .select({ isAsked: projects.redactPii })
    .from(projects)
    .where(and(eq(projects.orgId, tx.orgId), eq(projects.id, projectId)));
  return row?.isAsked;
}

type Batch = { projectId: string; after: string; limit: number };

/** Records of a project that have a transcript as it was heard, by id. */
export async function selectUnredactedRecords(tx: OrgTx, { projectId, after, limit }: Batch): Promise<string[]> {
  const rows = await tx
    .select({ id: records.id })
    .from(records)
    .where(
      and(
        eq(records.orgId, tx.orgId),
        eq(records.projectId, projectId),
        gt(records.id, after),
        sql`exists (select from ${transcripts} t
          where t.org_id = records.org_id and t.record_id = records.id and t.redactions is null)`,
      ),
    )
    .orderBy(asc(records.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}

type Redacted = { version: number; speakers: Speaker[]; segments: string; redactions: Redaction[] };

export async function updateTranscript(tx: OrgTx, recordId: string, redacted: Redacted): Promise<void> {
  const { version, speakers, segments, redactions } = redacted;
  await tx
    .update(transcripts)
    .set({ speakers, segments: asSegments(segments), redactions })
    .where(and(oneTranscript(tx, recordId), eq(transcripts.version, version)));
}

/** What the analyses of a record say in words. */
export async function selectAnalysisTexts(tx: OrgTx, recordId: string) {
  return tx
    .select({
      id: analyses.id,
      transcriptVersion: analyses.transcriptVersion,
      summary: analyses.summary,
      improvements: analyses.improvements,
      topics: analyses.topics,
      actionItems: analyses.actionItems,
      checks: analyses.checks,
      complianceFindings: analyses.complianceFindings,
    })
    .from(analyses)
    .where(and(eq(analyses.orgId, tx.orgId), eq(analyses.recordId, recordId)));
}

export type AnalysisTexts = Awaited<ReturnType<typeof selectAnalysisTexts>>[number];

export async function updateAnalysisTexts(tx: OrgTx, { id, ...texts }: AnalysisTexts): Promise<void> {
  await tx
    .update(analyses)
    .set(texts)
    .where(and(eq(analyses.orgId, tx.orgId), eq(analyses.id, id)));
}

/** Gives the keys of their objects. */
export async function deleteAllMuted(tx: OrgTx, recordIds: string[]): Promise<string[]> {
  const rows = await tx
    .delete(mutedRecordings)
    .where(and(eq(mutedRecordings.orgId, tx.orgId), inArray(mutedRecordings.recordId, recordIds)))
    .returning({ storageKey: mutedRecordings.storageKey });
  return rows.flatMap(({ storageKey }) => storageKey ?? []);
}

/** Undefined where there was none. */
export async function deleteMuted(tx: OrgTx, recordId: string) {
  const [row] = await tx
    .delete(mutedRecordings)
    .where(and(eq(mutedRecordings.orgId, tx.orgId), eq(mutedRecordings.recordId, recordId)))
    .returning({ storageKey: mutedRecordings.storageKey });
  return row;
}

/** The recording and all stretches that any transcript of it has lost. The record is held until the transaction ends. */
export async function lockMutingSource(tx: OrgTx, recordId: string) {
  const [record] = await tx
    .select({ storageKey: records.storageKey, contentType: records.fileContentType })
    .from(records)
    .where(oneRecord(tx, recordId))
    .for('no key update');
  if (!record) return undefined;
  const rows = await tx
    .select({ redactions: transcripts.redactions })
    .from(transcripts)
    .where(and(oneTranscript(tx, recordId), isNotNull(transcripts.redactions)))
    .orderBy(asc(transcripts.version));
  const muted = await tx
    .select({ recordId: mutedRecordings.recordId })
    .from(mutedRecordings)
    .where(and(eq(mutedRecordings.orgId, tx.orgId), eq(mutedRecordings.recordId, recordId)));
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

function oneRecord(tx: OrgTx, recordId: string) {
  return and(eq(records.orgId, tx.orgId), eq(records.id, recordId));
}

function oneTranscript(tx: OrgTx, recordId: string) {
  return and(eq(transcripts.orgId, tx.orgId), eq(transcripts.recordId, recordId));
}
