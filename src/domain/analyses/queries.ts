import { and, count, eq, gte, lte, sql, type SQL } from 'drizzle-orm';
import type { Visibility } from '../../auth/principal.ts';
import { equals, paged } from '../../db/listing.ts';
import { byId, recordOfAnalysis, transcriptOfAnalysis } from '../../db/keys.ts';
import { createStatements } from '../../db/driver/statements.ts';
import type { OrgTx } from '../../db/scope.ts';
import { analyses, records, transcripts } from '../../db/schema/index.ts';
import type { ListRequest } from '../../lib/paging.ts';
import type { Period } from '../../lib/timestamp.ts';
import { givenVisibility, visibilityValues, visibleRecords } from '../visible-records.ts';
import { countRecords } from '../records/service.ts';
import type { Scores } from '../../model/analysis.ts';
import type { ListAnalysesInput } from './schemas.ts';

/** What limits a list. `from` and `to` as instants. */
export type AnalysisFilter = Omit<ListAnalysesInput, keyof ListRequest | 'versions'> &
  Period & { currentOnly: boolean; visibility: Visibility };

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
  categories: sql<Scores['categories']>`coalesce(${analyses.finalCategories}, ${analyses.categories})`,
  version: analyses.version,
  current: analyses.current,
  status: analyses.status,
  profile: { id: analyses.profileId, name: analyses.profileName, version: analyses.profileVersion },
  engine: { kind: analyses.engineKind, model: analyses.engineModel, fallback: analyses.engineFallback },
  agentName: records.agentName,
  reviewed: analyses.reviewed,
  createdAt: analyses.createdAt,
};

/** Of the analysed transcript, as JSON; null if its content was deleted. */
const segments = sql<string | null>`${transcripts.segments}::text`;

const detailColumns = {
  ...listColumns,
  automatic: {
    qualityScore: analyses.qualityScore,
    judgedShare: analyses.judgedShare,
    needsReviewCount: analyses.needsReviewCount,
    categories: analyses.categories,
    complianceStatus: analyses.complianceStatus,
  },
  checks: analyses.checks,
  complianceFindings: analyses.complianceFindings,
  metrics: analyses.metrics,
  topics: analyses.topics,
  actionItems: analyses.actionItems,
  segments,
  inputTokens: analyses.inputTokens,
  outputTokens: analyses.outputTokens,
  modelCost: analyses.modelCost,
  failure: analyses.failure,
  reason: analyses.reason,
  completedAt: analyses.completedAt,
};

const sortColumns = {
  createdAt: analyses.createdAt,
  qualityScore: analyses.shownQualityScore,
  judgedShare: analyses.shownJudgedShare,
} as const;

const ask = createStatements();

export function selectAnalyses(tx: OrgTx, filter: AnalysisFilter, page: ListRequest<keyof typeof sortColumns>) {
  const query = tx.select(listColumns).from(analyses).innerJoin(records, recordOfAnalysis).$dynamic();
  const sorting = { by: sortColumns[page.sort], id: analyses.id };
  return paged(query, { where: conditions(tx, filter), page, sorting });
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

export async function selectAnalysis(tx: OrgTx, id: string, visibility: Visibility) {
  const [row] = await ask(tx, {
    values: { orgId: tx.orgId, id, ...visibilityValues(visibility) },
    build: (db, given) =>
      db
        .select(detailColumns)
        .from(analyses)
        .innerJoin(records, recordOfAnalysis)
        .leftJoin(transcripts, transcriptOfAnalysis)
        .where(and(eq(analyses.orgId, given.orgId), eq(analyses.id, given.id), visibleRecords(givenVisibility(given)))),
  });
  return row;
}

export async function selectAnalysedSegments(tx: OrgTx, id: string, visibility: Visibility) {
  const [row] = await tx
    .select({ segments })
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
  const { minScore, maxScore, minJudgedShare, maxJudgedShare, awaitsReview, reviewed, from, to } = filter;
  return and(
    eq(analyses.orgId, tx.orgId),
    filter.currentOnly ? sql`${analyses.current}` : undefined,
    equals(analyses.projectId, filter.projectId),
    equals(analyses.recordId, filter.recordId),
    equals(analyses.shownComplianceStatus, filter.complianceStatus),
    minScore === undefined ? undefined : gte(analyses.shownQualityScore, minScore),
    maxScore === undefined ? undefined : lte(analyses.shownQualityScore, maxScore),
    minJudgedShare === undefined ? undefined : gte(analyses.shownJudgedShare, minJudgedShare),
    maxJudgedShare === undefined ? undefined : lte(analyses.shownJudgedShare, maxJudgedShare),
    awaitsReview === undefined ? undefined : awaitsReview ? isAwaiting : sql`not (${isAwaiting})`,
    // A literal, since the planner would not match a parameter with the partial indexes.
    reviewed === undefined ? undefined : reviewed ? sql`${analyses.reviewed}` : sql`not ${analyses.reviewed}`,
    equals(records.agentName, filter.agentName),
    equals(analyses.status, filter.status),
    from && gte(analyses.createdAt, from),
    to && lte(analyses.createdAt, to),
    visibleRecords(filter.visibility),
  );
}
