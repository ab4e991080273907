import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import type { Visibility } from '../../auth/principal.ts';
import { equals, inPeriod, paged, withoutCase } from '../../db/listing.ts';
import { byId } from '../../db/keys.ts';
import type { OrgTx } from '../../db/scope.ts';
import { alertEvents, alerts, profiles, profileVersions, projects } from '../../db/schema/index.ts';
import type { ListRequest } from '../../lib/paging.ts';
import type { GivenPeriod } from '../../lib/timestamp.ts';

export type AlertRow = typeof alerts.$inferSelect;
export type NewAlert = Omit<typeof alerts.$inferInsert, 'orgId'>;
export type AlertChanges = { [Field in keyof NewAlert]?: NewAlert[Field] | undefined };
export type AlertEventRow = typeof alertEvents.$inferSelect;
export type AlertFilter = GivenPeriod & {
  projectId?: string | undefined;
  enabled?: boolean | undefined;
  visibility: Visibility;
};

const sortColumns = {
  createdAt: alerts.createdAt,
  name: withoutCase(alerts.name),
  updatedAt: alerts.updatedAt,
  lastTriggeredAt: alerts.lastTriggeredAt,
  triggerCount: alerts.triggerCount,
};

/** A page, and how many there are in all. */
export function selectAlerts(tx: OrgTx, input: AlertFilter & ListRequest<keyof typeof sortColumns>) {
  const where = conditions(tx, input);
  const query = tx.select().from(alerts).$dynamic();
  return [
    paged(query, { where, page: input, sorting: { by: sortColumns[input.sort], id: alerts.id } }),
    tx.$count(alerts, where),
  ] as const;
}

export async function selectAlert(tx: OrgTx, id: string, visibility: Visibility): Promise<AlertRow | undefined> {
  const [row] = await tx
    .select()
    .from(alerts)
    .where(and(conditions(tx, { visibility }), eq(alerts.id, id)));
  return row;
}

/** Locked until the end of the transaction, so that checks still hold when it is changed. */
export async function lockAlert(tx: OrgTx, id: string, visibility: Visibility): Promise<AlertRow | undefined> {
  const [row] = await tx
    .select()
    .from(alerts)
    .where(and(conditions(tx, { visibility }), eq(alerts.id, id)))
    .for('no key update');
  return row;
}

/** Keys of the categories that calls are scored by, in the project or in any project of the organization. */
export async function selectCategories(tx: OrgTx, projectId: string | null): Promise<string[]> {
  const rows = await tx
    .selectDistinct({ key: sql<string>`jsonb_array_elements(${profileVersions.rubric} -> 'categories') ->> 'key'` })
    .from(profiles)
    .innerJoin(
      profileVersions,
      and(
        eq(profileVersions.orgId, profiles.orgId),
        eq(profileVersions.profileId, profiles.id),
        eq(profileVersions.version, profiles.currentVersion),
      ),
    )
    .where(and(eq(profiles.orgId, tx.orgId), projectId === null ? isNull(profiles.deletedAt) : usedBy(tx, projectId)));
  return rows.map(({ key }) => key);
}

function usedBy(tx: OrgTx, projectId: string): SQL {
  return eq(
    profiles.id,
    tx
      .select({ id: projects.profileId })
      .from(projects)
      .where(byId(tx, projects, projectId)),
  );
}

export async function insertAlert(tx: OrgTx, alert: NewAlert): Promise<AlertRow> {
  const [row] = await tx
    .insert(alerts)
    .values({ ...alert, orgId: tx.orgId })
    .returning();
  if (!row) throw new Error('The database answered nothing.');
  return row;
}

export async function updateAlert(tx: OrgTx, id: string, changes: AlertChanges): Promise<AlertRow | undefined> {
  const [row] = await tx
    .update(alerts)
    .set({ ...changes, updatedAt: new Date() })
    .where(byId(tx, alerts, id))
    .returning();
  return row;
}

export async function deleteAlert(tx: OrgTx, id: string): Promise<boolean> {
  const { count } = await tx.delete(alerts).where(byId(tx, alerts, id));
  return count > 0;
}

type FiringFilter = GivenPeriod & { alertId: string; projectId?: string | undefined; visibility: Visibility };

/** A page, and how many there are in all. */
export function selectAlertEvents(tx: OrgTx, input: FiringFilter & ListRequest) {
  const where = firings(tx, input);
  const query = tx.select().from(alertEvents).$dynamic();
  const sorting = { by: alertEvents.triggeredAt, id: alertEvents.id };
  return [paged(query, { where, page: input, sorting }), tx.$count(alertEvents, where)] as const;
}

function conditions(tx: OrgTx, { projectId, enabled, visibility, ...period }: AlertFilter): SQL | undefined {
  const { projectIds } = visibility;
  return and(
    eq(alerts.orgId, tx.orgId),
    equals(alerts.projectId, projectId),
    equals(alerts.enabled, enabled),
    inPeriod(alerts.createdAt, period),
    projectIds === null
      ? undefined
      : sql`(${alerts.projectId} is null or ${alerts.projectId} = any(${sql.param(projectIds)}))`,
  );
}

function firings(tx: OrgTx, { alertId, projectId, visibility, ...period }: FiringFilter): SQL | undefined {
  const { projectIds } = visibility;
  return and(
    eq(alertEvents.orgId, tx.orgId),
    eq(alertEvents.alertId, alertId),
    equals(alertEvents.projectId, projectId),
    inPeriod(alertEvents.triggeredAt, period),
    projectIds === null ? undefined : sql`${alertEvents.projectId} = any(${sql.param(projectIds)})`,
  );
}
