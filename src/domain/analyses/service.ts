import { visibilityOf } from '../../auth/principal.ts';
import { notFound } from '../../lib/errors.ts';
import { toPage, type Page } from '../../lib/paging.ts';
import { plainJson, storedList } from '../../lib/plain-json.ts';
import { parsePeriod } from '../../lib/timestamp.ts';
import type { HeavyContext, OrgContext } from '../context.ts';
import type { Segment } from '../../model/transcript.ts';
import * as queries from './queries.ts';
import type { AnalysisDetail, AnalysisListItem, ListAnalysesInput } from './schemas.ts';
import type { CallMoments } from '../../model/scorecard.ts';

export { lockRecordOf } from './queries.ts';
export { hasModelAnswer, insertModelAnswer, selectModelAnswers, type StoredAnswer } from './model-answers.ts';

export async function listAnalyses(
  { db, actor }: OrgContext,
  input: ListAnalysesInput,
): Promise<Page<AnalysisListItem>> {
  const { page, pageSize, sort, order, versions, from, to, ...rest } = input;
  const filter = {
    ...rest,
    ...parsePeriod({ from, to }),
    currentOnly: versions === 'current',
    visibility: visibilityOf(actor),
  };
  const [rows, total] = await db.readOrg(actor.orgId, (tx) =>
    Promise.all([
      queries.selectAnalyses(tx, filter, { page, pageSize, sort, order }),
      queries.countAnalyses(tx, filter),
    ]),
  );
  return toPage(rows.map(toListItem), total, input);
}

/** With checks, findings, metrics and the transcript's segments. Superseded versions stay readable. */
export async function getAnalysis({ db, actor }: OrgContext, { id }: { id: string }): Promise<AnalysisDetail> {
  const row = await db.readOrg(actor.orgId, (tx) => queries.selectAnalysis(tx, id, visibilityOf(actor)));
  if (!row) throw notFound('Analysis');
  const { analysis, agentName, segments } = row;
  const { checks, complianceFindings, metrics, topics, actionItems, failure, reason, completedAt } = analysis;
  return {
    ...toListItem({
      ...analysis,
      qualityScore: analysis.shownQualityScore,
      judgedShare: analysis.shownJudgedShare,
      needsReviewCount: analysis.shownNeedsReviewCount,
      complianceStatus: analysis.shownComplianceStatus,
      agentName,
    }),
    automatic: {
      qualityScore: analysis.qualityScore,
      judgedShare: analysis.judgedShare,
      needsReviewCount: analysis.needsReviewCount,
      categories: analysis.categories,
      complianceStatus: analysis.complianceStatus,
    },
    checks,
    complianceFindings,
    metrics,
    topics,
    actionItems,
    segments: toSegments(segments ?? '[]'),
    modelUsage: modelUsageOf(analysis),
    failure,
    reason,
    completedAt,
  };
}

const longSegmentsMin = 250_000;

function toSegments(json: string): Segment[] {
  return json.length < longSegmentsMin ? plainJson(JSON.parse(json) as Segment[]) : storedList(json);
}

/** Interruptions and silences of the analysed transcript; none if its content was deleted. */
export async function getMoments({ db, actor, heavyWork }: HeavyContext, { id }: { id: string }): Promise<CallMoments> {
  const row = await db.readOrg(actor.orgId, (tx) => queries.selectAnalysedSegments(tx, id, visibilityOf(actor)));
  if (!row) throw notFound('Analysis');
  return heavyWork.run('findMoments', row.segments ?? '[]', { orgId: actor.orgId, isAwaited: true });
}

type UsedColumns = Pick<queries.AnalysisRow, 'inputTokens' | 'outputTokens' | 'modelCost'>;

function modelUsageOf({ inputTokens, outputTokens, modelCost }: UsedColumns): AnalysisDetail['modelUsage'] {
  if (inputTokens === null || outputTokens === null) return null;
  return { inputTokens, outputTokens, cost: Number(modelCost ?? 0) };
}

type ListRow = Awaited<ReturnType<typeof queries.selectAnalyses>>[number];

function toListItem(row: ListRow): AnalysisListItem {
  const { id, recordId, projectId, summary, improvements, complianceStatus, reviewed } = row;
  const { qualityScore, judgedShare, needsReviewCount } = row;
  const { version, current, status, agentName, createdAt } = row;
  return {
    id,
    recordId,
    projectId,
    qualityScore,
    judgedShare,
    needsReviewCount,
    summary,
    improvements,
    complianceStatus,
    categories: row.finalCategories ?? row.categories,
    version,
    current,
    status,
    profile: { id: row.profileId, name: row.profileName, version: row.profileVersion },
    engine: { kind: row.engineKind, model: row.engineModel, fallback: row.engineFallback },
    agentName,
    reviewed,
    createdAt,
  };
}
