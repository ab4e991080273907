import { and, count, eq, is, sql, type SQL } from 'drizzle-orm';
import { PgColumn } from 'drizzle-orm/pg-core';
import type { Visibility } from '../../auth/principal.ts';
import { afterPosition, kindOf, operandsOf, sortedBy } from '../../db/listing.ts';
import type { OrgTx } from '../../db/scope.ts';
import { createStatements } from '../../db/driver/statements.ts';
import { recordDays, records } from '../../db/schema/index.ts';
import { pageWindow, positionOf, type PageRequest } from '../../lib/paging.ts';
import { recordStatuses } from '../../model/record.ts';
import { isEndOfDay, isStartOfDay, toDay, type Period } from '../../lib/timestamp.ts';
import {
  dayConditions,
  dayValues,
  filterValues,
  isCountedByDay,
  recordConditions,
  type RecordFilter,
} from './filters.ts';

export type RecordSort = { sort: keyof typeof sortColumns; order: 'asc' | 'desc' };

const sortColumns = {
  createdAt: records.createdAt,
  callAt: records.callAt,
  duration: records.durationSeconds,
  qualityScore: records.qualityScore,
  judgedShare: records.judgedShare,
} as const;

const listColumns = {
  id: records.id,
  projectId: records.projectId,
  type: records.type,
  status: records.status,
  duration: records.durationSeconds,
  qualityScore: records.qualityScore,
  judgedShare: records.judgedShare,
  needsReviewCount: records.needsReviewCount,
  complianceStatus: records.complianceStatus,
  externalId: records.externalId,
  agentName: records.agentName,
  customerPhone: records.customerPhone,
  callAt: records.callAt,
  createdAt: records.createdAt,
  completedAt: records.completedAt,
};

const detailColumns = {
  ...listColumns,
  analysisId: records.analysisId,
  source: records.source,
  direction: records.direction,
  agentId: records.agentUserId,
  tags: records.tags,
  startedAt: records.startedAt,
  language: records.language,
  channels: records.channels,
  file: {
    name: records.fileName,
    size: records.fileSizeBytes,
    contentType: records.fileContentType,
    sha256: records.fileSha256,
    missingMs: records.fileMissingMs,
  },
  stage: records.stage,
  failure: records.failure,
  crm: records.crm,
  metadata: records.metadata,
  contentDeletedAt: records.contentDeletedAt,
  uploadedBy: records.uploadedBy,
};

const ask = createStatements();

export function selectRecords(tx: OrgTx, filter: RecordFilter, page: PageRequest & RecordSort) {
  const column = sortColumn(filter, page);
  const isColumn = is(column, PgColumn);
  const kind = isColumn ? kindOf(column) : 'numeric';
  const position = positionOf(page);
  const after = position && operandsOf(position, kind);
  const key = { by: column, id: records.id, kind, order: page.order };
  return ask(tx, {
    shape: `page ${page.sort} ${page.order} ${isColumn} ${after && (after.value === null ? 'null' : 'value')}`,
    values: {
      ...filterValues(tx, filter),
      ...pageWindow(page),
      ...(after && { afterId: after.id, ...(after.value !== null && { afterValue: after.value }) }),
    },
    build: (db, given) =>
      db
        .select(listColumns)
        .from(records)
        .where(
          and(
            recordConditions(given),
            given.afterId && afterPosition(key, { value: given.afterValue ?? null, id: given.afterId }),
          ),
        )
        .orderBy(...sortedBy(column, records.id, page.order))
        .limit(given.limit)
        .offset(given.offset),
  });
}

/**
 * The exact number of matching records. Whole days come from the daily counters; only partial days at the ends of a
 * period are counted row by row. All rows are counted for an agent, who only sees their own, and for filters that the
 * counters do not cover.
 */
export async function countRecords(tx: OrgTx, filter: RecordFilter): Promise<number> {
  if (!isCountedByDay(filter)) return countRows(tx, filter);
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

async function countRows(tx: OrgTx, filter: RecordFilter): Promise<number> {
  const [row] = await ask(tx, {
    shape: 'count',
    values: filterValues(tx, filter),
    build: (db, given) => db.select({ total: count() }).from(records).where(recordConditions(given)),
  });
  return row?.total ?? 0;
}

async function countWholeDays(tx: OrgTx, filter: RecordFilter): Promise<number> {
  const { from, to, status } = filter;
  const d = recordDays;
  const statuses = [...new Set(status ?? recordStatuses)].toSorted();
  const counted = sql.join(
    statuses.map((each) => sql`${d[each]}`),
    sql` + `,
  );
  const bounds: { from?: string; after?: string; to?: string; before?: string } = {
    ...(from && (isStartOfDay(from) ? { from: toDay(from) } : { after: toDay(from) })),
    ...(to && (isEndOfDay(to) ? { to: toDay(to) } : { before: toDay(to) })),
  };
  const [row] = await ask(tx, {
    shape: `days ${statuses.join()}`,
    values: { orgId: tx.orgId, ...dayValues(filter), ...bounds },
    build: (db, given) =>
      db
        .select({ total: sql<number>`coalesce(sum(${counted}), 0)::float8`.mapWith(Number) })
        .from(d)
        .where(
          and(
            eq(d.orgId, given.orgId),
            dayConditions(given),
            given.from && sql`${d.day} >= ${given.from}`,
            given.after && sql`${d.day} > ${given.after}`,
            given.to && sql`${d.day} <= ${given.to}`,
            given.before && sql`${d.day} < ${given.before}`,
          ),
        ),
  });
  return row?.total ?? 0;
}

/** In any order. */
export function selectResults(tx: OrgTx, ids: string[], visibility: Visibility) {
  return ask(tx, {
    shape: 'results',
    values: { ...filterValues(tx, { visibility }), ids },
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

export async function selectRecord(tx: OrgTx, id: string, visibility: Visibility) {
  const [row] = await ask(tx, {
    shape: 'one',
    values: { ...filterValues(tx, { visibility }), id },
    build: (db, given) =>
      db
        .select(detailColumns)
        .from(records)
        .where(and(eq(records.id, given.id), recordConditions(given))),
  });
  return row;
}

/**
 * Unfinished records have no score and often no duration, so they stand at the very end of those indexes, where a
 * search for the first page arrives last. They are few, so they are found by status and sorted; `+ 0` keeps the planner
 * from using an index.
 */
function sortColumn({ status }: RecordFilter, { sort }: RecordSort): PgColumn | SQL {
  const column = sortColumns[sort];
  const isUnfinished = status !== undefined && !status.includes('completed');
  return isUnfinished && !column.notNull ? sql`(${column} + 0)` : column;
}

function startOfDay(date: Date): Date {
  return new Date(`${toDay(date)}T00:00:00.000Z`);
}

function endOfDay(date: Date): Date {
  return new Date(`${toDay(date)}T23:59:59.999Z`);
}
