import { and, count, eq, gte, lte, sql, type SQL } from 'drizzle-orm';
import type { Visibility } from '../../auth/principal.ts';
import { paged } from '../../db/listing.ts';
import { byId, recordOfAnalysis, transcriptOfAnalysis } from '../../db/keys.ts';
import type { OrgTx } from '../../db/scope.ts';
import { analyses, records, transcripts } from '../../db/schema/index.ts';
import type { PageRequest } from '../../lib/paging.ts';
import type { Period } from '../../lib/timestamp.ts';
import { visibleRecords } from '../visible-records.ts';
import { countRecords } from '../records/service.ts';
import type { ComplianceStatus } from '../../model/scorecard.ts';

export type AnalysisRow = typeof analyses.$inferSelect;
export type AnalysisFilter = Period & {
  projectId?: string | undefined;
  recordId?: string | undefined;
  complianceStatus?: ComplianceStatus | undefined;
  minScore?: number | undefined;
  maxScore?: number | undefined;
  minJudgedShare?: number | undefined;
  maxJudgedShare?: number | undefined;
  awaitsReview?: boolean | undefined;
  reviewed?: boolean | undefined;
  agentName?: string | undefined;
  status?: AnalysisRow['status'] | undefined;
  currentOnly: boolean;
  visibility: Visibility;
};
export type AnalysisSort = { sort: 'createdAt' | 'qualityScore' | 'judgedShare'; order: 'asc' | 'desc' };

const listColumns = {
  id: analyses.id,
  recordId: analyses.recordId,
  projectId: analyses.projectId,
  qualityScore: analyses.shownQualityScore,
  judgedShare: analyses.shownJudgedShare,
  needsReviewCount: analyses.shownNeedsReviewCount,
  summary: analyses.summary,
  improvements: analyses.improvements,
  complianceStatus: analyses.shownComplianceStatus,
  categories: analyses.categories,
  finalCategories: analyses.finalCategories,
  reviewed: analyses.reviewed,
  version: analyses.version,
  current: analyses.current,
  status: analyses.status,
  profileId: analyses.profileId,
  profileName: analyses.profileName,
  profileVersion: analyses.profileVersion,
  engineKind: analyses.engineKind,
  engineModel: analyses.engineModel,
  engineFallback: analyses.engineFallback,
  agentName: records.agentName,
  createdAt: analyses.createdAt,
};

const sortColumns = {
  createdAt: analyses.createdAt,
  qualityScore: analyses.shownQualityScore,
  judgedShare: analyses.shownJudgedShare,
} as const;

export function selectAnalyses(tx: OrgTx, filter: AnalysisFilter, page: PageRequest & AnalysisSort) {
  const column = sortColumns[page.sort];
  const query = tx
    .select(listColumns)
    .from(analyses)
    .innerJoin(records, recordOfAnalysis)
    .where(conditions(tx, filter))
    .$dynamic();
  return paged(query, page, { by: column, id: analyses.id });
}

/**
 * The exact count. A completed record has one current analysis, so those of an organization or project are counted by
 * day.
 */
export async function countAnalyses(tx: OrgTx, filter: AnalysisFilter): Promise<number> {
  const { projectId, currentOnly, visibility, ...others } = filter;
  if (currentOnly && visibility.ownUserId === null && Object.values(others).every((value) => value === undefined)) {
    return countRecords(tx, { projectId, status: ['completed'], visibility });
  }
  const query = tx.select({ total: count() }).from(analyses).where(conditions(tx, filter)).$dynamic();
  const { projectIds, ownUserId } = filter.visibility;
  const needsRecord = filter.agentName !== undefined || projectIds !== null || ownUserId !== null;
  const [row] = await (needsRecord ? query.innerJoin(records, recordOfAnalysis) : query);
  return row?.total ?? 0;
}

const segmentsAsJson = sql<string | null>`${transcripts.segments}::text`;

export async function selectAnalysis(tx: OrgTx, id: string, visibility: Visibility) {
  const [row] = await tx
    .select({ analysis: analyses, agentName: records.agentName, segments: segmentsAsJson })
    .from(analyses)
    .innerJoin(records, recordOfAnalysis)
    .leftJoin(transcripts, transcriptOfAnalysis)
    .where(and(byId(tx, analyses, id), visibleRecords(visibility)));
  return row;
}

/** The segments of the analysed transcript, as JSON; null if its content was deleted. */
export async function selectAnalysedSegments(tx: OrgTx, id: string, visibility: Visibility) {
  const [row] = await tx
    .select({ segments: segmentsAsJson })
    .from(analyses)
    .innerJoin(records, recordOfAnalysis)
    .leftJoin(transcripts, transcriptOfAnalysis)
    .where(and(byId(tx, analyses, id), visibleRecords(visibility)));
  return row;
}

/**
 * Locks the analysis's record, as publishing does, so of two concurrent changes the second sees the first. Read the
 * analysis afterwards.
 */
export async function lockRecordOf(tx: OrgTx, id: string, visibility: Visibility): Promise<boolean> {
  const rows = await tx
    .select({ id: records.id })
    .from(records)
    .innerJoin(analyses, recordOfAnalysis)
    .where(and(byId(tx, analyses, id), visibleRecords(visibility)))
    .for('no key update', { of: records });
  return rows.length > 0;
}

/** Worded like the index, so that the index is used. Superseded versions need no review. */
const isAwaiting = sql`${analyses.current} and not ${analyses.reviewed} and ${analyses.qualityScore} is null and ${analyses.judgedShare} is not null`;

function conditions(tx: OrgTx, filter: AnalysisFilter): SQL | undefined {
  const {
    projectId,
    recordId,
    complianceStatus,
    minScore,
    maxScore,
    minJudgedShare,
    maxJudgedShare,
    awaitsReview,
    reviewed,
    agentName,
    status,
    currentOnly,
    from,
    to,
  } = filter;
  return and(
    eq(analyses.orgId, tx.orgId),
    currentOnly ? sql`${analyses.current}` : undefined,
    projectId === undefined ? undefined : eq(analyses.projectId, projectId),
    recordId === undefined ? undefined : eq(analyses.recordId, recordId),
    complianceStatus && eq(analyses.shownComplianceStatus, complianceStatus),
    minScore === undefined ? undefined : gte(analyses.shownQualityScore, minScore),
    maxScore === undefined ? undefined : lte(analyses.shownQualityScore, maxScore),
    minJudgedShare === undefined ? undefined : gte(analyses.shownJudgedShare, minJudgedShare),
    maxJudgedShare === undefined ? undefined : lte(analyses.shownJudgedShare, maxJudgedShare),
    awaitsReview === undefined ? undefined : awaitsReview ? isAwaiting : sql`not (${isAwaiting})`,
    // A literal, since the planner would not match a parameter with the partial indexes.
    reviewed === undefined ? undefined : reviewed ? sql`${analyses.reviewed}` : sql`not ${analyses.reviewed}`,
    agentName === undefined ? undefined : eq(records.agentName, agentName),
    status && eq(analyses.status, status),
    from && gte(analyses.createdAt, from),
    to && lte(analyses.createdAt, to),
    visibleRecords(filter.visibility),
  );
}
