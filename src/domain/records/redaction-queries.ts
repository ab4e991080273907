import { and, asc, eq, exists, gt, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { OrgTx } from '../../db/scope.ts';
import { analyses, mutedRecordings, projects, records, transcripts } from '../../db/schema/index.ts';
import { depthOf, type Redaction, type RedactionDepth } from '../../model/redaction.ts';
import { asSegments, keptTranscriptColumns, redactionAsked } from './queries.ts';
import type { Speaker } from '../../model/transcript.ts';

const done = { redactions: transcripts.redactions, namesRedacted: transcripts.namesRedacted };

/** What the project of a record asks for, and what of the record there is to mute. */
export async function selectRedactionPolicy(tx: OrgTx, recordId: string) {
  const [row] = await tx
    .select({ asked: redactionAsked, hasRecording: sql<boolean>`${records.storageKey} is not null` })
    .from(records)
    .innerJoin(projects, and(eq(projects.orgId, records.orgId), eq(projects.id, records.projectId)))
    .where(oneRecord(tx, recordId));
  return row;
}

/** What is asked for a transcript, and what was done to it. Undefined where there is no such record. */
export async function selectDepths(tx: OrgTx, recordId: string, version: number): Promise<Depths | undefined> {
  const [row] = await tx
    .select({ asked: redactionAsked, done })
    .from(records)
    .innerJoin(projects, and(eq(projects.orgId, records.orgId), eq(projects.id, records.projectId)))
    .leftJoin(
      transcripts,
      and(eq(transcripts.orgId, records.orgId), eq(transcripts.recordId, records.id), eq(transcripts.version, version)),
    )
    .where(oneRecord(tx, recordId));
  return row && { asked: row.asked, done: row.done ? depthOf(row.done) : 'none' };
}

export type Depths = { asked: RedactionDepth; done: RedactionDepth };

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

/** Transcripts of a record that less was taken out of than is asked, their segments as JSON. */
export async function selectUnredacted(tx: OrgTx, recordId: string, asked: RedactionDepth) {
  return tx
    .select({
      version: transcripts.version,
      speakers: transcripts.speakers,
      segments: keptTranscriptColumns.segments,
      redactions: transcripts.redactions,
    })
    .from(transcripts)
    .where(and(oneTranscript(tx, recordId), isDue(asked)))
    .orderBy(asc(transcripts.version));
}

/** Undefined where there is no such project. */
export async function selectProjectDepth(tx: OrgTx, projectId: string): Promise<RedactionDepth | undefined> {
  const [row] = await tx
    .select({ asked: redactionAsked })
    .from(projects)
    .where(and(eq(projects.orgId, tx.orgId), eq(projects.id, projectId)));
  return row?.asked;
}

type Batch = { projectId: string; asked: RedactionDepth; after: string; limit: number };

/** Records of a project with a transcript that less was taken out of than is asked, by id. */
export async function selectUnredactedRecords(tx: OrgTx, { projectId, asked, after, limit }: Batch): Promise<string[]> {
  const rows = await tx
    .select({ id: records.id })
    .from(records)
    .where(
      and(
        eq(records.orgId, tx.orgId),
        eq(records.projectId, projectId),
        gt(records.id, after),
        exists(
          tx
            .select({ one: sql`1` })
            .from(transcripts)
            .where(and(eq(transcripts.orgId, records.orgId), eq(transcripts.recordId, records.id), isDue(asked))),
        ),
      ),
    )
    .orderBy(asc(records.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}

type Redacted = {
  version: number;
  speakers: Speaker[];
  segments: string;
  redactions: Redaction[];
  namesRedacted: boolean;
};

export async function updateTranscript(tx: OrgTx, recordId: string, redacted: Redacted): Promise<void> {
  const { version, segments, ...columns } = redacted;
  await tx
    .update(transcripts)
    .set({ ...columns, segments: asSegments(segments) })
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

/** What of transcripts lacks something that is asked. */
function isDue(asked: RedactionDepth) {
  if (asked === 'none') return sql`false`;
  return asked === 'data'
    ? isNull(transcripts.redactions)
    : or(isNull(transcripts.redactions), eq(transcripts.namesRedacted, false));
}

function oneTranscript(tx: OrgTx, recordId: string) {
  return and(eq(transcripts.orgId, tx.orgId), eq(transcripts.recordId, recordId));
}
