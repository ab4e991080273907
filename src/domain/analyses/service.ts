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
  const { page, pageSize, cursor, sort, order, versions, from, to, ...filters } = input;
  const currentOnly = versions === 'current';
  const filter = { ...filters, ...parsePeriod({ from, to }), currentOnly, visibility: visibilityOf(actor) };
  const [rows, total] = await db.readOrg(actor.orgId, (tx) =>
    Promise.all([
      queries.selectAnalyses(tx, filter, { page, pageSize, cursor, sort, order }),
      queries.countAnalyses(tx, filter),
    ]),
  );
  return toPage(rows, total, input);
}

/** With checks, findings, metrics and the transcript's segments. Superseded versions stay readable. */
export async function getAnalysis({ db, actor }: OrgContext, { id }: { id: string }): Promise<AnalysisDetail> {
  const row = await db.findInOrg(actor.orgId, (tx) => queries.selectAnalysis(tx, id, visibilityOf(actor)));
  if (!row) throw notFound('Analysis');
  const { segments, inputTokens, outputTokens, modelCost, ...analysis } = row;
  const modelUsage =
    inputTokens === null || outputTokens === null ? null : { inputTokens, outputTokens, cost: Number(modelCost ?? 0) };
  return { ...analysis, segments: toSegments(segments ?? '[]'), modelUsage };
}

const longSegmentsMin = 250_000;

function toSegments(json: string): Segment[] {
  return json.length < longSegmentsMin ? plainJson(JSON.parse(json) as Segment[]) : storedList(json);
}

/** Interruptions and silences of the analysed transcript; none if its content was deleted. */
export async function getMoments({ db, actor, heavyWork }: HeavyContext, { id }: { id: string }): Promise<CallMoments> {
  const row = await db.findInOrg(actor.orgId, (tx) => queries.selectAnalysedSegments(tx, id, visibilityOf(actor)));
  if (!row) throw notFound('Analysis');
  return heavyWork.run('findMoments', row.segments ?? '[]', { orgId: actor.orgId, isAwaited: true });
}
