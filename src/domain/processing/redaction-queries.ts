import { and, asc, eq, exists, gt, isNull, or, sql } from 'drizzle-orm';
import { byId, ofRecord } from '../../db/keys.ts';
import type { OrgTx } from '../../db/scope.ts';
import { analyses, projects, records, transcripts } from '../../db/schema/index.ts';
import { type Redaction, type RedactionDepth } from '../../model/redaction.ts';
import { asSegments, keptTranscriptColumns } from '../transcripts/columns.ts';
import { requestedRedaction } from '../requested-redaction.ts';
import type { Speaker } from '../../model/transcript.ts';

/** Locks a record that still has its content until the transaction ends. */
export async function lockRedactable(tx: OrgTx, recordId: string) {
  const [row] = await tx
    .select({ hasRecording: sql<boolean>`${records.storageKey} is not null` })
    .from(records)
    .where(and(byId(tx, records, recordId), isNull(records.contentDeletedAt)))
    .for('no key update');
  return row;
}

/** The record's transcripts that are less redacted than requested, with segments as JSON. */
export async function selectUnredacted(tx: OrgTx, recordId: string, asked: RedactionDepth) {
  return tx
    .select({
      version: transcripts.version,
      speakers: transcripts.speakers,
      segments: keptTranscriptColumns.segments,
      redactions: transcripts.redactions,
    })
    .from(transcripts)
    .where(and(ofRecord(tx, transcripts, recordId), isDue(asked)))
    .orderBy(asc(transcripts.version));
}

/** Undefined if there is no such project. */
export async function selectProjectDepth(tx: OrgTx, projectId: string): Promise<RedactionDepth | undefined> {
  const [row] = await tx
    .select({ asked: requestedRedaction })
    .from(projects)
    .where(byId(tx, projects, projectId));
  return row?.asked;
}

type Batch = { projectId: string; asked: RedactionDepth; after: string; limit: number };

/** Ids of the project's records with a transcript that is less redacted than requested. */
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
    .where(and(ofRecord(tx, transcripts, recordId), eq(transcripts.version, version)));
}

/** The texts of a record's analyses. */
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
    .where(ofRecord(tx, analyses, recordId));
}

export type AnalysisTexts = Awaited<ReturnType<typeof selectAnalysisTexts>>[number];

export async function updateAnalysisTexts(tx: OrgTx, { id, ...texts }: AnalysisTexts): Promise<void> {
  await tx
    .update(analyses)
    .set(texts)
    .where(byId(tx, analyses, id));
}

/** Matches transcripts that are less redacted than requested. */
function isDue(asked: RedactionDepth) {
  if (asked === 'none') return sql`false`;
  return asked === 'data'
    ? isNull(transcripts.redactions)
    : or(isNull(transcripts.redactions), eq(transcripts.namesRedacted, false));
}
