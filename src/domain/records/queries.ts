import { and, asc, count, desc, eq, gte, inArray, is, lte, or, sql, type SQL } from 'drizzle-orm';
import { PgColumn } from 'drizzle-orm/pg-core';
import type { Visibility } from '../../auth/principal.ts';
import type { OrgTx } from '../../db/scope.ts';
import { analyses, projects, recordDays, records, transcripts, uploads, users } from '../../db/schema/index.ts';
import { pageWindow, type PageRequest } from '../../lib/paging.ts';
import { isEndOfDay, isStartOfDay, toDay, type Period } from '../../lib/timestamp.ts';

export type RecordRow = typeof records.$inferSelect;
export type NewRecord = Omit<typeof records.$inferInsert, 'orgId'>;
export type RecordFilter = Period & {
  projectId?: string | undefined;
  status?: RecordRow['status'] | undefined;
  visibility: Visibility;
};
export type RecordSort = { sort: 'createdAt' | 'duration' | 'qualityScore'; order: 'asc' | 'desc' };

const sortColumns = {
  createdAt: records.createdAt,
  duration: records.durationSeconds,
  qualityScore: records.qualityScore,
} as const;

/**
 * Nulls last and ids breaking ties, in the words of the indexes: one that was made `desc nulls last` serves nothing else,
 * and one in ascending order is read backwards only where nulls are not spoken of.
 */
export function sortedBy(column: PgColumn | SQL, id: PgColumn, order: 'asc' | 'desc'): SQL[] {
  const direction = order === 'asc' ? asc : desc;
  if (is(column, PgColumn) && column.notNull) return [direction(column), direction(id)];
  return [sql`${direction(column)} nulls last`, sql`${direction(id)} nulls last`];
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

/** Conditions on `records` that keep a query to what the actor may see. Row-level security keeps it to the organization. */
export function visibleRecords({ projectIds, ownUserId }: Visibility): SQL | undefined {
  return and(
    projectIds === null ? undefined : sql`${records.projectId} = any(${sql.param(projectIds)})`,
    ownUserId === null ? undefined : or(eq(records.uploadedBy, ownUserId), eq(records.agentUserId, ownUserId)),
  );
}

export function selectRecords(tx: OrgTx, filter: RecordFilter, page: PageRequest & RecordSort) {
  const { limit, offset } = pageWindow(page);
  return tx
    .select(listColumns)
    .from(records)
    .where(recordConditions(tx, filter))
    .orderBy(...sortedBy(sortColumn(filter, page), records.id, page.order))
    .limit(limit)
    .offset(offset);
}

/**
 * Exact number of records that match. Whole days come from the daily counters; only the broken days at the ends
 * of a period are counted row by row, and all of them where an agent sees just their own.
 */
export async function countRecords(tx: OrgTx, filter: RecordFilter): Promise<number> {
  if (filter.visibility.ownUserId !== null) return countRows(tx, filter);
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
  const [row] = await tx.select({ total: count() }).from(records).where(recordConditions(tx, filter));
  return row?.total ?? 0;
}

async function countWholeDays(tx: OrgTx, { from, to, projectId, status, visibility }: RecordFilter): Promise<number> {
  const d = recordDays;
  const counted = status ? sql`${d[status]}` : sql`${d.pending} + ${d.processing} + ${d.completed} + ${d.failed}`;
  const [row] = await tx
    .select({ total: sql<number>`coalesce(sum(${counted}), 0)::float8`.mapWith(Number) })
    .from(d)
    .where(
      and(
        eq(d.orgId, tx.orgId),
        projectId === undefined ? undefined : eq(d.projectId, projectId),
        visibility.projectIds === null ? undefined : sql`${d.projectId} = any(${sql.param(visibility.projectIds)})`,
        from && (isStartOfDay(from) ? sql`${d.day} >= ${toDay(from)}` : sql`${d.day} > ${toDay(from)}`),
        to && (isEndOfDay(to) ? sql`${d.day} <= ${toDay(to)}` : sql`${d.day} < ${toDay(to)}`),
      ),
    );
  return row?.total ?? 0;
}

function recordConditions(tx: OrgTx, { from, to, projectId, status, visibility }: RecordFilter): SQL | undefined {
  return and(
    eq(records.orgId, tx.orgId),
    projectId === undefined ? undefined : eq(records.projectId, projectId),
    status && eq(records.status, status),
    from && gte(records.createdAt, from),
    to && lte(records.createdAt, to),
    visibleRecords(visibility),
  );
}

export async function selectRecord(tx: OrgTx, id: string, visibility: Visibility): Promise<RecordRow | undefined> {
  const [row] = await tx
    .select()
    .from(records)
    .where(and(eq(records.orgId, tx.orgId), eq(records.id, id), visibleRecords(visibility)));
  return row;
}

/** Players ask for one range after the other, so this reads no more than they need. */
export async function selectRecording(tx: OrgTx, id: string, visibility: Visibility) {
  const [row] = await tx
    .select({
      storageKey: records.storageKey,
      fileName: records.fileName,
      contentType: records.fileContentType,
      sizeBytes: records.fileSizeBytes,
      sha256: records.fileSha256,
    })
    .from(records)
    .where(and(eq(records.orgId, tx.orgId), eq(records.id, id), visibleRecords(visibility)));
  return row;
}

/** Locks the row until the transaction ends, so that two changes of state cannot both believe to be the first. */
export async function lockRecord(tx: OrgTx, id: string, visibility: Visibility): Promise<RecordRow | undefined> {
  const [row] = await tx
    .select()
    .from(records)
    .where(and(eq(records.orgId, tx.orgId), eq(records.id, id), visibleRecords(visibility)))
    .for('update');
  return row;
}

export async function selectByExternalId(
  tx: OrgTx,
  source: RecordRow['source'],
  externalId: string,
): Promise<RecordRow | undefined> {
  const [row] = await tx
    .select()
    .from(records)
    .where(and(eq(records.orgId, tx.orgId), eq(records.source, source), eq(records.externalId, externalId)));
  return row;
}

/** Null when the call (organization, source, external id) is there already. */
export async function insertRecord(tx: OrgTx, record: NewRecord): Promise<RecordRow | null> {
  const [row] = await tx
    .insert(records)
    .values({ ...record, orgId: tx.orgId })
    .onConflictDoNothing()
    .returning();
  return row ?? null;
}

export async function updateRecord(tx: OrgTx, id: string, changes: Partial<NewRecord>): Promise<void> {
  await tx
    .update(records)
    .set({ ...changes, updatedAt: new Date() })
    .where(and(eq(records.orgId, tx.orgId), eq(records.id, id)));
}

export async function deleteRecords(tx: OrgTx, ids: string[]): Promise<void> {
  await tx.delete(records).where(and(eq(records.orgId, tx.orgId), inArray(records.id, ids)));
}

/**
 * All records of a project at once: whoever completes one holds it before it needs the counters of its day, which the
 * first deleted batch locks.
 */
export async function lockProjectRecords(tx: OrgTx, projectId: string): Promise<void> {
  await tx.execute(sql`select count(*) from (
    select from ${records} where org_id = ${tx.orgId} and project_id = ${projectId} order by id for update) locked`);
}

/** The next records of a project, for deletion in batches. */
export function selectProjectRecords(tx: OrgTx, projectId: string, limit: number) {
  return tx
    .select({
      id: records.id,
      projectId: records.projectId,
      externalId: records.externalId,
      storageKey: records.storageKey,
    })
    .from(records)
    .where(and(eq(records.orgId, tx.orgId), eq(records.projectId, projectId)))
    .orderBy(asc(records.id))
    .limit(limit);
}

/** The one that the current analysis rests on, so that its evidence fits; the latest until there is one. */
export async function selectTranscript(tx: OrgTx, recordId: string) {
  const isAnalysed = sql`coalesce(${transcripts.version} = (
    select a.transcript_version from ${analyses} a
     where a.org_id = ${tx.orgId} and a.record_id = ${recordId} and a.current), false)`;
  const [row] = await tx
    .select()
    .from(transcripts)
    .where(and(eq(transcripts.orgId, tx.orgId), eq(transcripts.recordId, recordId)))
    .orderBy(desc(isAnalysed), desc(transcripts.version))
    .limit(1);
  return row;
}

export async function insertTranscript(
  tx: OrgTx,
  transcript: Omit<typeof transcripts.$inferInsert, 'orgId'>,
): Promise<void> {
  await tx
    .insert(transcripts)
    .values({ ...transcript, orgId: tx.orgId })
    .onConflictDoNothing();
}

/** Keeps the project from being deleted until the transaction ends; waits for a deletion that is under way. */
export async function holdProject(tx: OrgTx, id: string): Promise<boolean> {
  const rows = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.orgId, tx.orgId), eq(projects.id, id)))
    .for('key share');
  return rows.length > 0;
}

export async function insertUpload(tx: OrgTx, storageKey: string): Promise<void> {
  await tx.insert(uploads).values({ orgId: tx.orgId, storageKey });
}

/** False when the trace is gone already, and with it the object: the sweeper took it for abandoned. */
export async function deleteUpload(tx: OrgTx, storageKey: string): Promise<boolean> {
  const rows = await tx
    .delete(uploads)
    .where(and(eq(uploads.orgId, tx.orgId), eq(uploads.storageKey, storageKey)))
    .returning({ storageKey: uploads.storageKey });
  return rows.length > 0;
}

function startOfDay(date: Date): Date {
  return new Date(`${toDay(date)}T00:00:00.000Z`);
}

function endOfDay(date: Date): Date {
  return new Date(`${toDay(date)}T23:59:59.999Z`);
}

export async function selectMemberIdByEmail(tx: OrgTx, email: string): Promise<string | null> {
  const [row] = await tx
    .select({ id: users.id })
    .from(users)
    .where(sql`lower(${users.email}) = lower(${email})`);
  return row?.id ?? null;
}
