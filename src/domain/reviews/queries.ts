import { and, asc, desc, eq, sql } from 'drizzle-orm';
import type { Visibility } from '../../auth/principal.ts';
import { inPeriod, operandsOf } from '../../db/listing.ts';
import { byId, recordOfAnalysis } from '../../db/keys.ts';
import type { OrgTx } from '../../db/scope.ts';
import { analyses, records, reviewEntries, reviews } from '../../db/schema/index.ts';
import { pageWindow, positionOf, type ListRequest } from '../../lib/paging.ts';
import type { Scores } from '../../model/analysis.ts';
import { visibleRecords } from '../visible-records.ts';

export type ReviewRow = typeof reviews.$inferSelect;
export type ReviewChanges = Partial<Omit<typeof reviews.$inferInsert, 'orgId' | 'id' | 'analysisId'>>;
export type NewEntry = Omit<typeof reviewEntries.$inferInsert, 'orgId' | 'position'>;

const subject = {
  analysisId: analyses.id,
  recordId: analyses.recordId,
  projectId: analyses.projectId,
  version: analyses.version,
  current: analyses.current,
  currentId: records.analysisId,
  isReanalysed: sql<boolean>`exists (select from ${analyses} a
    where a.org_id = ${analyses.orgId} and a.record_id = ${analyses.recordId} and a.status in ('pending', 'processing'))`,
  status: analyses.status,
  profile: { id: analyses.profileId, version: analyses.profileVersion },
  checks: analyses.checks,
  automatic: {
    qualityScore: analyses.qualityScore,
    judgedShare: analyses.judgedShare,
    needsReviewCount: analyses.needsReviewCount,
    categories: analyses.categories,
    complianceStatus: analyses.complianceStatus,
  },
  reviewed: analyses.reviewed,
  final: {
    qualityScore: analyses.finalQualityScore,
    judgedShare: analyses.finalJudgedShare,
    needsReviewCount: analyses.finalNeedsReviewCount,
    categories: sql<Scores['categories']>`coalesce(${analyses.finalCategories}, '{}'::json)`,
    complianceStatus: analyses.finalComplianceStatus,
  },
  metrics: analyses.metrics,
  durationSeconds: records.durationSeconds,
  review: reviews,
};

export type Subject = NonNullable<Awaited<ReturnType<typeof selectSubject>>>;

/** The analysis with its review, if any. */
export async function selectSubject(tx: OrgTx, id: string, visibility: Visibility) {
  const [row] = await tx
    .select(subject)
    .from(analyses)
    .innerJoin(records, recordOfAnalysis)
    .leftJoin(reviews, and(eq(reviews.orgId, analyses.orgId), eq(reviews.analysisId, analyses.id)))
    .where(and(byId(tx, analyses, id), visibleRecords(visibility)));
  return row;
}

export async function insertReview(tx: OrgTx, review: Omit<typeof reviews.$inferInsert, 'orgId'>): Promise<void> {
  await tx.insert(reviews).values({ ...review, orgId: tx.orgId });
}

export async function updateReview(tx: OrgTx, id: string, changes: ReviewChanges): Promise<void> {
  await tx
    .update(reviews)
    .set({ ...changes, updatedAt: new Date() })
    .where(byId(tx, reviews, id));
}

/** The caller has locked the record, so two entries cannot get the same position. */
export async function insertEntry(tx: OrgTx, entry: NewEntry): Promise<void> {
  const position = sql`(select coalesce(max(position), 0) + 1 from ${reviewEntries}
    where org_id = ${tx.orgId} and review_id = ${entry.reviewId})`;
  await tx.insert(reviewEntries).values({ ...entry, orgId: tx.orgId, position });
}

export async function setFinalScores(tx: OrgTx, analysisId: string, final: Scores): Promise<void> {
  await tx
    .update(analyses)
    .set({
      reviewed: true,
      finalQualityScore: final.qualityScore,
      finalJudgedShare: final.judgedShare,
      finalNeedsReviewCount: final.needsReviewCount,
      finalComplianceStatus: final.complianceStatus,
      finalCategories: final.categories,
    })
    .where(byId(tx, analyses, analysisId));
}

/** Entries of earlier releases do not say how much was judged. */
export function wholeScores(final: NonNullable<typeof reviewEntries.$inferSelect.final>): Scores {
  return { judgedShare: null, needsReviewCount: null, ...final };
}

/** A page, in the order in which they happened, which is also that of their times, and how many there are in all. */
export function selectEntries(tx: OrgTx, reviewId: string, input: ListRequest<'createdAt'>) {
  const { limit, offset } = pageWindow(input);
  const after = positionOf(input);
  const { value } = after ? operandsOf(after, 'integer') : { value: null };
  const beyond = sql.raw(input.order === 'asc' ? '>' : '<');
  const where = and(
    eq(reviewEntries.orgId, tx.orgId),
    eq(reviewEntries.reviewId, reviewId),
    inPeriod(reviewEntries.createdAt, input),
  );
  const query = tx
    .select()
    .from(reviewEntries)
    .where(and(where, after && sql`${reviewEntries.position} ${beyond} ${value}::text::integer`))
    .orderBy(input.order === 'asc' ? asc(reviewEntries.position) : desc(reviewEntries.position))
    .limit(limit)
    .offset(offset);
  return [query, tx.$count(reviewEntries, where)] as const;
}
