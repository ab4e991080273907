import { and, asc, count, desc, eq, sql, type SQL } from 'drizzle-orm';
import type { Visibility } from '../../auth/principal.ts';
import type { OrgTx } from '../../db/scope.ts';
import { alertEvents, alerts } from '../../db/schema/index.ts';
import { pageWindow, type PageRequest } from '../../lib/paging.ts';

export type AlertRow = typeof alerts.$inferSelect;
export type NewAlert = Omit<typeof alerts.$inferInsert, 'orgId'>;
export type AlertEventRow = typeof alertEvents.$inferSelect;
export type AlertFilter = { projectId?: string | undefined; enabled?: boolean | undefined; visibility: Visibility };

export function selectAlerts(tx: OrgTx, filter: AlertFilter, page: PageRequest): Promise<AlertRow[]> {
  const { limit, offset } = pageWindow(page);
  return tx
    .select()
    .from(alerts)
    .where(conditions(tx, filter))
    .orderBy(asc(alerts.createdAt), asc(alerts.id))
    .limit(limit)
    .offset(offset);
}

export async function countAlerts(tx: OrgTx, filter: AlertFilter): Promise<number> {
  const [row] = await tx.select({ total: count() }).from(alerts).where(conditions(tx, filter));
  return row?.total ?? 0;
}

export async function selectAlert(tx: OrgTx, id: string, visibility: Visibility): Promise<AlertRow | undefined> {
  const [row] = await tx
    .select()
    .from(alerts)
    .where(and(conditions(tx, { visibility }), eq(alerts.id, id)));
  return row;
}

export async function insertAlert(tx: OrgTx, alert: NewAlert): Promise<AlertRow> {
  const [row] = await tx
    .insert(alerts)
    .values({ ...alert, orgId: tx.orgId })
    .returning();
  if (!row) throw new Error('The database answered nothing.');
  return row;
}

export async function updateAlert(tx: OrgTx, id: string, changes: Partial<NewAlert>): Promise<AlertRow | undefined> {
  const [row] = await tx
    .update(alerts)
    .set({ ...changes, updatedAt: new Date() })
    .where(and(eq(alerts.orgId, tx.orgId), eq(alerts.id, id)))
    .returning();
  return row;
}

export async function deleteAlert(tx: OrgTx, id: string): Promise<boolean> {
  const rows = await tx
    .delete(alerts)
    .where(and(eq(alerts.orgId, tx.orgId), eq(alerts.id, id)))
    .returning({ id: alerts.id });
  return rows.length > 0;
}

type FiringFilter = { alertId: string; visibility: Visibility };

export function selectAlertEvents(tx: OrgTx, filter: FiringFilter, page: PageRequest): Promise<AlertEventRow[]> {
  const { limit, offset } = pageWindow(page);
  return tx
    .select()
    .from(alertEvents)
    .where(firings(tx, filter))
    .orderBy(desc(alertEvents.triggeredAt), desc(alertEvents.id))
    .limit(limit)
    .offset(offset);
}

export async function countAlertEvents(tx: OrgTx, filter: FiringFilter): Promise<number> {
  const [row] = await tx.select({ total: count() }).from(alertEvents).where(firings(tx, filter));
  return row?.total ?? 0;
}

export type Fired = Pick<AlertRow, 'id' | 'name' | 'severity' | 'actions' | 'field' | 'operator' | 'value'>;
type Subject = {
  analysisId: string;
  projectId: string;
  facts: Record<string, number | string>;
  at: Date;
  /** Becomes current just now, so that no rule can have fired for it. */
  isNew: boolean;
};

/**
 * Counts the firing of every rule that the facts meet, in one statement whatever their number: a fact that is missing
 * meets none. Rules are locked in the order of their ids and looked at once more then, so that a cooldown holds.
 */
export async function fireRules(tx: OrgTx, { analysisId, projectId, facts, at, isNew }: Subject): Promise<Fired[]> {
  const now = sql`${at.toISOString()}::timestamptz`;
  const fact = sql`(${JSON.stringify(facts)}::text::jsonb -> a.field)`;
  const isMet = sql`case a.operator
      when 'lt' then ${fact} < a.value when 'lte' then ${fact} <= a.value
      when 'gt' then ${fact} > a.value when 'gte' then ${fact} >= a.value
      when 'eq' then ${fact} = a.value else ${fact} <> a.value end`;
  const isDue = sql`(a.cooldown_seconds = 0 or a.last_triggered_at is null
      or a.last_triggered_at + make_interval(secs => a.cooldown_seconds) <= ${now})`;
  const hasNotFired = isNew
    ? sql`true`
    : sql`a.id <> all(array(
        select e.alert_id from ${alertEvents} e where e.org_id = ${tx.orgId} and e.analysis_id = ${analysisId}))`;
  const rows = await tx.execute<Fired>(sql`
    update ${alerts} a
       set trigger_count = a.trigger_count + 1, last_triggered_at = greatest(a.last_triggered_at, ${now})
     where a.org_id = ${tx.orgId} and a.enabled and ${isDue} and a.id = any(array(
       select a.id from ${alerts} a
        where a.org_id = ${tx.orgId} and a.enabled and (a.project_id is null or a.project_id = ${projectId})
          and ${isMet} and ${isDue}
          and ${hasNotFired}
        order by a.id for no key update of a))
    returning a.id, a.name, a.severity, a.actions, a.field, a.operator, a.value`);
  return [...rows];
}

export async function insertAlertEvents(
  tx: OrgTx,
  events: Omit<typeof alertEvents.$inferInsert, 'orgId'>[],
): Promise<void> {
  await tx.insert(alertEvents).values(events.map((event) => ({ ...event, orgId: tx.orgId })));
}

function conditions(tx: OrgTx, { projectId, enabled, visibility }: AlertFilter): SQL | undefined {
  const { projectIds } = visibility;
  return and(
    eq(alerts.orgId, tx.orgId),
    projectId === undefined ? undefined : eq(alerts.projectId, projectId),
    enabled === undefined ? undefined : eq(alerts.enabled, enabled),
    projectIds === null
      ? undefined
      : sql`(${alerts.projectId} is null or ${alerts.projectId} = any(${sql.param(projectIds)}))`,
  );
}

function firings(tx: OrgTx, { alertId, visibility }: FiringFilter): SQL | undefined {
  const { projectIds } = visibility;
  return and(
    eq(alertEvents.orgId, tx.orgId),
    eq(alertEvents.alertId, alertId),
    projectIds === null ? undefined : sql`${alertEvents.projectId} = any(${sql.param(projectIds)})`,
  );
}
