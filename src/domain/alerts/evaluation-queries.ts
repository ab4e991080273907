import { and, desc, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { byId, recordOfAnalysis } from '../../db/keys.ts';
import type { OrgTx } from '../../db/scope.ts';
import { alertEvents, alerts, analyses, records, reviewEntries } from '../../db/schema/index.ts';
import type { Scores } from '../../model/analysis.ts';
import type { AlertRow } from './queries.ts';

/** A published analysis, or a revision of its review. */
export type Evaluation = { recordId: string; analysisId: string; review: { id: string; revision: number } | null };

/** By field of a condition. */
export type Facts = Record<string, number | string>;

type Compared = {
  projectId: string;
  facts: Facts;
  /** The values before a review; null if the analysis has just become current, so no rule can have fired for it. */
  factsBefore: Facts | null;
};

/** Whether any rule would fire now, in one statement for all rules. */
export async function couldFire(
  tx: OrgTx,
  { analysisId, ...compared }: Compared & { analysisId: string },
): Promise<boolean> {
  const hasNotFired =
    compared.factsBefore === null
      ? sql`true`
      : sql`a.id <> all(array(
        select e.alert_id from ${alertEvents} e where e.org_id = ${tx.orgId} and e.analysis_id = ${analysisId}))`;
  const [row] = await tx.execute<{ isAny: boolean }>(sql`
    select exists (
      select from ${alerts} a where ${isDue(tx, { ...compared, at: sql`now()` })} and ${hasNotFired}) as "isAny"`);
  return row?.isAny === true;
}

/**
 * The published values, unaffected by later reviews. Locks the analysis against deletion before any rule, the order in
 * which deleting calls and their project takes these locks.
 */
export async function selectSubject(tx: OrgTx, { analysisId, review }: Evaluation) {
  const [row] = await tx
    .select({
      projectId: analyses.projectId,
      agentName: records.agentName,
      durationSeconds: records.durationSeconds,
      metrics: analyses.metrics,
      automatic: {
        qualityScore: analyses.qualityScore,
        judgedShare: analyses.judgedShare,
        needsReviewCount: analyses.needsReviewCount,
        categories: analyses.categories,
        complianceStatus: analyses.complianceStatus,
      },
    })
    .from(analyses)
    .innerJoin(records, recordOfAnalysis)
    .where(byId(tx, analyses, analysisId))
    .for('key share', { of: analyses });
  if (!row) return undefined;
  const { automatic, ...subject } = row;
  if (!review) return { ...subject, scores: automatic, scoresBefore: null };
  const [scores, scoresBefore = automatic] = await selectRevisions(tx, review);
  return scores && { ...subject, scores, scoresBefore };
}

/** The scores of a review's revision, and those before it. */
async function selectRevisions(
  tx: OrgTx,
  { id, revision }: NonNullable<Evaluation['review']>,
): Promise<(Scores | undefined)[]> {
  const { orgId, reviewId, kind, revision: number, final } = reviewEntries;
  const entries = await tx
    .select({ final })
    .from(reviewEntries)
    .where(and(eq(orgId, tx.orgId), eq(reviewId, id), eq(kind, 'submitted'), inArray(number, [revision, revision - 1])))
    .orderBy(desc(number));
  return entries.map(({ final }) => (final ? { judgedShare: null, needsReviewCount: null, ...final } : undefined));
}

export type DueRule = Pick<AlertRow, 'id' | 'name' | 'severity' | 'actions' | 'field' | 'operator' | 'value'>;

/**
 * Locks, in order of id, the rules that match now, did not match before, and are not silent. Each is checked again once
 * it is locked, so that concurrent evaluations respect the cooldown. Rules created later apply to later calls.
 */
export async function lockDueRules(tx: OrgTx, { at, ...compared }: Compared & { at: Date }): Promise<DueRule[]> {
  const now = sql`${at.toISOString()}::timestamptz`;
  const rows = await tx.execute<DueRule>(sql`
    select a.id, a.name, a.severity, a.actions, a.field, a.operator, a.value from ${alerts} a
     where ${isDue(tx, { ...compared, at: now })} and date_trunc('milliseconds', a.created_at) <= ${now}
     order by a.id for no key update of a`);
  return [...rows];
}

function isDue(tx: OrgTx, { projectId, facts, factsBefore, at }: Compared & { at: SQL }): SQL {
  const wasMet = factsBefore === null ? sql`` : sql`and (${isMetBy(factsBefore)}) is not true`;
  return sql`a.org_id = ${tx.orgId} and a.enabled and (a.project_id is null or a.project_id = ${projectId})
    and ${isMetBy(facts)} ${wasMet}
    and (a.cooldown_seconds = 0 or a.last_triggered_at is null
      or a.last_triggered_at + make_interval(secs => a.cooldown_seconds) <= ${at})`;
}

/** Null if the facts lack the rule's field. */
function isMetBy(facts: Facts): SQL {
  const fact = sql`(${JSON.stringify(facts)}::text::jsonb -> a.field)`;
  return sql`case a.operator
      when 'lt' then ${fact} < a.value when 'lte' then ${fact} <= a.value
      when 'gt' then ${fact} > a.value when 'gte' then ${fact} >= a.value
      when 'eq' then ${fact} = a.value else ${fact} <> a.value end`;
}

type NewFiring = Omit<typeof alertEvents.$inferInsert, 'orgId'>;

/** Skips rules that have fired for this version already. Returns the inserted ids. */
export async function insertAlertEvents(tx: OrgTx, events: readonly NewFiring[]): Promise<Set<string>> {
  if (events.length === 0) return new Set();
  const rows = await tx
    .insert(alertEvents)
    .values(events.map((event) => ({ ...event, orgId: tx.orgId })))
    .onConflictDoNothing({ target: [alertEvents.orgId, alertEvents.analysisId, alertEvents.alertId] })
    .returning({ id: alertEvents.id });
  return new Set(rows.map(({ id }) => id));
}

/** The rules must be locked. */
export async function countFirings(tx: OrgTx, alertIds: string[], at: Date): Promise<void> {
  await tx
    .update(alerts)
    .set({
      triggerCount: sql`${alerts.triggerCount} + 1`,
      lastTriggeredAt: sql`greatest(${alerts.lastTriggeredAt}, ${at.toISOString()}::timestamptz)`,
    })
    .where(and(eq(alerts.orgId, tx.orgId), inArray(alerts.id, alertIds)));
}
