import { and, count, eq, gte, is, lte, sql, type Placeholder, type SQL } from 'drizzle-orm';
import { PgColumn } from 'drizzle-orm/pg-core';
import type { Visibility } from '../../auth/principal.ts';
import { sortedBy } from '../../db/listing.ts';
import type { OrgTx } from '../../db/scope.ts';
import { createStatements, type Given } from '../../db/statements.ts';
import { portals, recordDays, records } from '../../db/schema/index.ts';
import { pageWindow, type PageRequest } from '../../lib/paging.ts';
import { isEndOfDay, isStartOfDay, toDay, type Period } from '../../lib/timestamp.ts';
import { type RecordRow } from './rows.ts';
import { visibleRecords } from '../visible-records.ts';

export type RecordFilter = Period & {
  projectId?: string | undefined;
  status?: RecordRow['status'] | undefined;
  crmEntityType?: string | undefined;
  crmEntityId?: string | undefined;
  crmPortal?: string | undefined;
  agentName?: string | undefined;
  complianceStatus?: RecordRow['complianceStatus'] | undefined;
  minScore?: number | undefined;
  maxScore?: number | undefined;
  reviewed?: boolean | undefined;
  visibility: Visibility;
};
export type RecordSort = { sort: 'createdAt' | 'duration' | 'qualityScore'; order: 'asc' | 'desc' };

const sortColumns = {
  createdAt: records.createdAt,
  duration: records.durationSeconds,
  qualityScore: records.qualityScore,
} as const;

const listColumns = {
  id: records.id,
  projectId: records.projectId,
  type: records.type,
  status: records.status,
  duration: records.durationSeconds,
  qualityScore: records.qualityScore,
  complianceStatus: records.complianceStatus,
  agentName: records.agentName,
  customerPhone: records.customerPhone,
  createdAt: records.createdAt,
  completedAt: records.completedAt,
};

export const ask = createStatements();

export function selectRecords(tx: OrgTx, filter: RecordFilter, page: PageRequest & RecordSort) {
  const column = sortColumn(filter, page);
  return ask(tx, {
    shape: `page ${page.sort} ${page.order} ${is(column, PgColumn)}`,
    values: { ...valuesOf(tx, filter), ...pageWindow(page) },
    build: (db, given) =>
      db
        .select(listColumns)
        .from(records)
        .where(recordConditions(given))
        .orderBy(...sortedBy(column, records.id, page.order))
        .limit(given.limit)
        .offset(given.offset),
  });
}

/**
 * Exact number of records that match. Whole days come from the daily counters; only the broken days at the ends
 * of a period are counted row by row, and all of them where an agent sees just their own, or by what the days do not tell.
 */
export async function countRecords(tx: OrgTx, filter: RecordFilter): Promise<number> {
  if (filter.visibility.ownUserId !== null || !isByDay(filter)) return countRows(tx, filter);
  const { from, to } = filter;
  const edges: Period[] = [];
  if (from && to && toDay(from) === toDay(to) && !(isStartOfDay(from) && isEndOfDay(to))) return countRows(tx, filter);
  if (from && !isStartOfDay(from)) edges.push({ from, to: endOfDay(from) });
  if (to && !isEndOfDay(to)) edges.push({ from: startOfDay(to), to });
  const counts = await Promise.all([
    countWholeDays(tx, filter),
    ...edges.map((edge) => countRows(tx, { ...filter, ...edge })),
  ]);
  return counts.reduce((sum, value) => sum + value, 0);
}

function isByDay({ crmEntityId, agentName, complianceStatus, minScore, maxScore, reviewed }: RecordFilter): boolean {
  return [crmEntityId, agentName, complianceStatus, minScore, maxScore, reviewed].every((value) => value === undefined);
}

async function countRows(tx: OrgTx, filter: RecordFilter): Promise<number> {
  const [row] = await ask(tx, {
    shape: 'count',
    values: valuesOf(tx, filter),
    build: (db, given) => db.select({ total: count() }).from(records).where(recordConditions(given)),
  });
  return row?.total ?? 0;
}

type DayValues = {
  orgId: string;
  projectId?: string;
  projectIds?: string[];
  from?: string;
  after?: string;
  to?: string;
  before?: string;
};

async function countWholeDays(tx: OrgTx, { from, to, projectId, status, visibility }: RecordFilter): Promise<number> {
  const d = recordDays;
  const counted = status ? sql`${d[status]}` : sql`${d.pending} + ${d.processing} + ${d.completed} + ${d.failed}`;
  const values: DayValues = {
    orgId: tx.orgId,
    ...(projectId !== undefined && { projectId }),
    ...(visibility.projectIds !== null && { projectIds: visibility.projectIds }),
    ...(from && (isStartOfDay(from) ? { from: toDay(from) } : { after: toDay(from) })),
    ...(to && (isEndOfDay(to) ? { to: toDay(to) } : { before: toDay(to) })),
  };
  const [row] = await ask(tx, {
    shape: `days ${status}`,
    values,
    build: (db, given) =>
      db
        .select({ total: sql<number>`coalesce(sum(${counted}), 0)::float8`.mapWith(Number) })
        .from(d)
        .where(
          and(
            eq(d.orgId, given.orgId),
            given.projectId && eq(d.projectId, given.projectId),
            given.projectIds && sql`${d.projectId} = any(${given.projectIds})`,
            given.from && sql`${d.day} >= ${given.from}`,
            given.after && sql`${d.day} > ${given.after}`,
            given.to && sql`${d.day} <= ${given.to}`,
            given.before && sql`${d.day} < ${given.before}`,
          ),
        ),
  });
  return row?.total ?? 0;
}

type ConditionValues = {
  orgId: string;
  projectId?: string;
  status?: RecordRow['status'];
  from?: string;
  to?: string;
  crmEntityType?: string;
  crmEntityId?: string;
  crmPortal?: string;
  agentName?: string;
  complianceStatus?: NonNullable<RecordRow['complianceStatus']>;
  minScore?: number;
  maxScore?: number;
  reviewed?: boolean;
  projectIds?: string[];
  ownUserId?: string;
};

/** What is asked for, and nothing else: which of them are there decides about the text of the statement. */
export function valuesOf(tx: OrgTx, filter: RecordFilter): ConditionValues {
  const { from, to, projectId, status, crmEntityType, crmEntityId, crmPortal, visibility } = filter;
  const { agentName, complianceStatus, minScore, maxScore, reviewed } = filter;
  const { projectIds, ownUserId } = visibility;
  return {
    orgId: tx.orgId,
    ...(projectId !== undefined && { projectId }),
    ...(status && { status }),
    ...(from && { from: from.toISOString() }),
    ...(to && { to: to.toISOString() }),
    ...(crmEntityType !== undefined && { crmEntityType }),
    ...(crmEntityId !== undefined && { crmEntityId }),
    ...(crmPortal !== undefined && { crmPortal }),
    ...(agentName !== undefined && { agentName }),
    ...(complianceStatus && { complianceStatus }),
    ...(minScore !== undefined && { minScore }),
    ...(maxScore !== undefined && { maxScore }),
    ...(reviewed !== undefined && { reviewed }),
    ...(projectIds !== null && { projectIds }),
    ...(ownUserId !== null && { ownUserId }),
  };
}

export function recordConditions(given: Given<ConditionValues>): SQL | undefined {
  return and(
    eq(records.orgId, given.orgId),
    given.projectId && eq(records.projectId, given.projectId),
    given.status && eq(records.status, given.status),
    given.from && gte(records.createdAt, given.from),
    given.to && lte(records.createdAt, given.to),
    given.crmEntityType && eq(records.crmEntityType, given.crmEntityType),
    given.crmEntityId && eq(records.crmEntityId, given.crmEntityId),
    given.crmPortal && ofPortal(given.orgId, given.crmPortal),
    given.agentName && eq(records.agentName, given.agentName),
    given.complianceStatus && eq(records.complianceStatus, given.complianceStatus),
    given.minScore && gte(records.qualityScore, given.minScore),
    given.maxScore && lte(records.qualityScore, given.maxScore),
    given.reviewed && eq(records.reviewed, given.reviewed),
    visibleRecords({ projectIds: given.projectIds ?? null, ownUserId: given.ownUserId ?? null }),
  );
}

/** Ids of entities are unique in a portal. A call that names none can only be one of the portal where there is no other. */
function ofPortal(orgId: Placeholder, portal: Placeholder): SQL {
  // Calls from before it was written down have it in the reference to their recording.
  const named = sql`coalesce(${records.crm} ->> 'portal', substring(${records.recordingUrl} from '^bitrix24:([^/]*)/'))`;
  const others = sql`(select count(*) from ${portals} where ${portals.orgId} = ${orgId})`;
  return sql`(${named} = ${portal} or (${named} is null and ${others} < 2))`;
}

/** In no order. */
export function selectResults(tx: OrgTx, ids: string[], visibility: Visibility) {
  return ask(tx, {
    shape: 'results',
    values: { ...valuesOf(tx, { visibility }), ids },
    build: (db, given) =>
      db
        .select({
          ...listColumns,
          direction: records.direction,
          fileName: records.fileName,
          startedAt: records.startedAt,
          stage: records.stage,
          failure: records.failure,
          analysisId: records.analysisId,
          reviewed: records.reviewed,
        })
        .from(records)
        .where(and(sql`${records.id} = any(${given.ids})`, recordConditions(given))),
  });
}

export async function selectRecord(tx: OrgTx, id: string, visibility: Visibility): Promise<RecordRow | undefined> {
  const [row] = await ask(tx, {
    shape: 'one',
    values: { ...valuesOf(tx, { visibility }), id },
    build: (db, given) =>
      db
        .select()
        .from(records)
        .where(and(eq(records.id, given.id), recordConditions(given))),
  });
  return row;
}

/**
 * Unfinished records have no score and often no duration: all of them stand at the very end of those indexes, where a
 * search for the first page arrives last. They are few, so they are found by status and sorted; `+ 0` matches no index.
 */
function sortColumn({ status }: RecordFilter, { sort }: RecordSort): PgColumn | SQL {
  const column = sortColumns[sort];
  const isUnfinished = status !== undefined && status !== 'completed';
  return isUnfinished && !column.notNull ? sql`(${column} + 0)` : column;
}

function startOfDay(date: Date): Date {
  return new Date(`${toDay(date)}T00:00:00.000Z`);
}

function endOfDay(date: Date): Date {
  return new Date(`${toDay(date)}T23:59:59.999Z`);
}
