import { and, eq, sql } from 'drizzle-orm';
import type { Visibility } from '../../auth/principal.ts';
import { inPeriod, paged } from '../../db/listing.ts';
import { byId, recordOfAnalysis } from '../../db/keys.ts';
import type { OrgTx } from '../../db/scope.ts';
import { analyses, annotations, records, transcripts } from '../../db/schema/index.ts';
import type { ListRequest } from '../../lib/paging.ts';
import { visibleRecords } from '../visible-records.ts';

export type AnnotationRow = typeof annotations.$inferSelect;
export type NewAnnotation = Omit<typeof annotations.$inferInsert, 'orgId'>;

/**
 * What an annotation of the analysis may refer to; undefined if the actor sees no such analysis. Locks it against
 * deletion until the transaction ends, after waiting for a deletion in progress.
 */
export async function selectTargets(
  tx: OrgTx,
  { id, segmentId, visibility }: { id: string; segmentId: string | null; visibility: Visibility },
) {
  const [row] = await tx
    .select({
      current: analyses.current,
      categories: analyses.categories,
      hasSegment: sql<boolean>`exists (select from ${transcripts} t
        where t.org_id = analyses.org_id and t.record_id = analyses.record_id and t.version = analyses.transcript_version
          and t.segments @> jsonb_build_array(jsonb_build_object('id', ${segmentId}::text)))`,
    })
    .from(analyses)
    .innerJoin(records, recordOfAnalysis)
    .where(and(byId(tx, analyses, id), visibleRecords(visibility)))
    .for('key share', { of: analyses });
  return row;
}

/** Undefined if the actor may not see the analysis. */
export async function selectAnalysisState(tx: OrgTx, id: string, visibility: Visibility) {
  const [row] = await tx
    .select({ current: analyses.current })
    .from(analyses)
    .innerJoin(records, recordOfAnalysis)
    .where(and(byId(tx, analyses, id), visibleRecords(visibility)));
  return row;
}

export async function insertAnnotation(tx: OrgTx, annotation: NewAnnotation): Promise<AnnotationRow> {
  const [row] = await tx
    .insert(annotations)
    .values({ ...annotation, orgId: tx.orgId })
    .returning();
  if (!row) throw new Error('The database answered nothing.');
  return row;
}

const sortColumns = {
  createdAt: annotations.createdAt,
  updatedAt: annotations.updatedAt,
  startMs: annotations.startMs,
};

/** A page, and how many there are in all. */
export function selectAnnotations(tx: OrgTx, analysisId: string, input: ListRequest<keyof typeof sortColumns>) {
  const where = and(ofAnalysis(tx, analysisId), inPeriod(annotations.createdAt, input));
  const query = tx.select().from(annotations).$dynamic();
  const sorting = { by: sortColumns[input.sort], id: annotations.id };
  return [paged(query, { where, page: input, sorting }), tx.$count(annotations, where)] as const;
}

export async function selectAnnotation(
  tx: OrgTx,
  analysisId: string,
  annotationId: string,
): Promise<AnnotationRow | undefined> {
  const [row] = await tx
    .select()
    .from(annotations)
    .where(and(ofAnalysis(tx, analysisId), eq(annotations.id, annotationId)));
  return row;
}

export async function lockAnnotation(
  tx: OrgTx,
  analysisId: string,
  annotationId: string,
): Promise<AnnotationRow | undefined> {
  const [row] = await tx
    .select()
    .from(annotations)
    .where(and(ofAnalysis(tx, analysisId), eq(annotations.id, annotationId)))
    .for('update');
  return row;
}

type Changes = { text?: AnnotationRow['text'] | undefined; type?: AnnotationRow['type'] | undefined };

/** The row must be locked in the same transaction. */
export async function updateAnnotation(tx: OrgTx, id: string, changes: Changes): Promise<AnnotationRow> {
  const [row] = await tx
    .update(annotations)
    .set({ ...changes, updatedAt: new Date() })
    .where(byId(tx, annotations, id))
    .returning();
  if (!row) throw new Error('The database answered nothing.');
  return row;
}

export async function deleteAnnotation(tx: OrgTx, id: string): Promise<void> {
  await tx.delete(annotations).where(byId(tx, annotations, id));
}

function ofAnalysis(tx: OrgTx, analysisId: string) {
  return and(eq(annotations.orgId, tx.orgId), eq(annotations.analysisId, analysisId));
}
