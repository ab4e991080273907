import { and, asc, eq, gte, lte, sql, type SQL } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import type { Visibility } from '../../auth/principal.ts';
import { inPeriod, paged, withoutCase } from '../../db/listing.ts';
import { byId } from '../../db/keys.ts';
import type { OrgTx } from '../../db/scope.ts';
import { profiles, projects, recordDays, records } from '../../db/schema/index.ts';
import type { ListRequest } from '../../lib/paging.ts';
import { isEndOfDay, isStartOfDay, toDay } from '../../lib/timestamp.ts';
import { visibleRecords } from '../visible-records.ts';
import { requestedRedaction } from '../requested-redaction.ts';

export type ProjectRow = Omit<typeof projects.$inferSelect, 'retainedSince'> & { recordCount: number };
type ProjectFields = Omit<typeof projects.$inferInsert, 'orgId' | 'id' | 'retainedSince' | 'createdAt' | 'updatedAt'>;
export type ProjectChanges = { [Field in keyof ProjectFields]?: ProjectFields[Field] | undefined };

const sortColumns = { createdAt: projects.createdAt, name: withoutCase(projects.name), updatedAt: projects.updatedAt };

/** A page, and how many there are in all. */
export function selectProjects(tx: OrgTx, visibility: Visibility, input: ListRequest<keyof typeof sortColumns>) {
  const where = and(allowed(tx, visibility), inPeriod(projects.createdAt, input));
  const query = tx.select(projectColumns(visibility)).from(projects).$dynamic();
  const sorting = { by: sortColumns[input.sort], id: projects.id };
  return [paged(query, { where, page: input, sorting }), tx.$count(projects, where)] as const;
}

export async function selectProject(tx: OrgTx, id: string, visibility: Visibility): Promise<ProjectRow | undefined> {
  const [row] = await tx
    .select(projectColumns(visibility))
    .from(projects)
    .where(and(allowed(tx, visibility), eq(projects.id, id)));
  return row;
}

/**
 * Locks the project, so that no record can join it while it is being deleted. The lock does not block foreign key
 * checks: publishing an analysis holds its record, and checks the keys of the counters on commit.
 */
export async function lockProject(tx: OrgTx, id: string): Promise<boolean> {
  const rows = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(byId(tx, projects, id))
    .for('no key update');
  return rows.length > 0;
}

export async function insertProject(tx: OrgTx, project: ProjectFields & { id: string }): Promise<void> {
  await tx.insert(projects).values({ ...project, orgId: tx.orgId });
}

/** False if there is no such project. */
export async function updateProject(tx: OrgTx, id: string, changes: ProjectChanges): Promise<boolean> {
  const { count } = await tx
    .update(projects)
    .set({ ...changes, updatedAt: new Date() })
    .where(byId(tx, projects, id));
  return count > 0;
}

export async function deleteProject(tx: OrgTx, id: string): Promise<void> {
  await tx.delete(projects).where(byId(tx, projects, id));
}

export async function hasRecords(tx: OrgTx, projectId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: records.id })
    .from(records)
    .where(and(eq(records.orgId, tx.orgId), eq(records.projectId, projectId)))
    .limit(1);
  return rows.length > 0;
}

/** Locks the profile against deletion until the transaction ends, after waiting for a deletion in progress. */
export async function holdProfile(tx: OrgTx, id: string): Promise<boolean> {
  const rows = await tx
    .select({ id: profiles.id })
    .from(profiles)
    .where(and(byId(tx, profiles, id), sql`${profiles.deletedAt} is null`))
    .for('key share');
  return rows.length > 0;
}

export async function selectFirstProfileId(tx: OrgTx): Promise<string | undefined> {
  const [row] = await tx
    .select({ id: profiles.id })
    .from(profiles)
    .where(and(eq(profiles.orgId, tx.orgId), sql`${profiles.deletedAt} is null`))
    .orderBy(asc(profiles.createdAt), asc(profiles.id))
    .limit(1)
    .for('key share');
  return row?.id;
}

export type StatsRow = {
  totalRecords: number;
  completedRecords: number;
  averageQualityScore: number | null;
  averageDuration: number | null;
  averageJudgedShare: number | null;
  awaitingReview: number;
};

type StatsScope = { projectId: string; from: Date; to: Date; visibility: Visibility };

/** Whole days come from the daily counters, partial days at the ends of the period from the rows. */
export async function selectStats(tx: OrgTx, { projectId, from, to, visibility }: StatsScope): Promise<StatsRow> {
  const fromRows = (period: { from: Date; to: Date }) => statsOfRows(tx, projectId, period, visibility);
  const isWithinOneDay = toDay(from) === toDay(to) && !(isStartOfDay(from) && isEndOfDay(to));
  if (visibility.ownUserId !== null || isWithinOneDay) return average(tx, fromRows({ from, to }));
  const firstDayEnd = new Date(`${toDay(from)}T23:59:59.999Z`);
  const lastDayStart = new Date(`${toDay(to)}T00:00:00.000Z`);
  const days = statsOfDays(tx, projectId, { from, to });
  const nothing = { from: to, to: from };
  const head = fromRows(isStartOfDay(from) ? nothing : { from, to: firstDayEnd });
  const tail = fromRows(isEndOfDay(to) ? nothing : { from: lastDayStart, to });
  return average(tx, unionAll(days, head, tail));
}

type Parts = ReturnType<typeof statsOfRows>;

async function average(tx: OrgTx, parts: Parts | { as(alias: 'parts'): ReturnType<Parts['as']> }): Promise<StatsRow> {
  const p = parts.as('parts');
  const mean = (sum: SQL.Aliased, n: SQL.Aliased) =>
    sql<number | null>`round(sum(${sum}) / nullif(sum(${n}), 0), 2)::float8`;
  const [row] = await tx
    .select({
      totalRecords: sql<number>`coalesce(sum(${p.total}), 0)::float8`,
      completedRecords: sql<number>`coalesce(sum(${p.completed}), 0)::float8`,
      averageQualityScore: mean(p.scoreSum, p.scoreCount),
      averageDuration: mean(p.durationSum, p.durationCount),
      averageJudgedShare: sql<
        number | null
      >`round(sum(${p.shareSum}) / nullif(sum(${p.shareCount}), 0) / 1000, 3)::float8`,
      awaitingReview: sql<number>`coalesce(sum(${p.awaiting}), 0)::float8`,
    })
    .from(p);
  if (!row) throw new Error('The database answered nothing.');
  return row;
}

function statsOfDays(tx: OrgTx, projectId: string, { from, to }: { from: Date; to: Date }) {
  const d = recordDays;
  return tx
    .select({
      total: sql`coalesce(sum(${d.pending} + ${d.processing} + ${d.completed} + ${d.failed}), 0)`.as('total'),
      completed: sql`coalesce(sum(${d.completed}), 0)`.as('completed'),
      durationSum: sql`coalesce(sum(${d.durationSum}), 0)`.as('duration_sum'),
      durationCount: sql`coalesce(sum(${d.durationCount}), 0)`.as('duration_count'),
      scoreSum: sql`coalesce(sum(${d.scoreSum}), 0)`.as('score_sum'),
      scoreCount: sql`coalesce(sum(${d.scoreCount}), 0)`.as('score_count'),
      shareSum: sql`coalesce(sum(${d.shareSum}), 0)`.as('share_sum'),
      shareCount: sql`coalesce(sum(${d.shareCount}), 0)`.as('share_count'),
      awaiting: sql`coalesce(sum(${d.awaiting}), 0)`.as('awaiting'),
    })
    .from(d)
    .where(
      and(
        eq(d.orgId, tx.orgId),
        eq(d.projectId, projectId),
        isStartOfDay(from) ? sql`${d.day} >= ${toDay(from)}` : sql`${d.day} > ${toDay(from)}`,
        isEndOfDay(to) ? sql`${d.day} <= ${toDay(to)}` : sql`${d.day} < ${toDay(to)}`,
      ),
    );
}

/** As the counters of days hold it. */
const inThousandths = sql`round(${records.judgedShare} * 1000)::bigint`;

function statsOfRows(tx: OrgTx, projectId: string, { from, to }: { from: Date; to: Date }, visibility: Visibility) {
  const r = records;
  const completed = sql`${r.status} = 'completed'`;
  return tx
    .select({
      total: sql`count(*)`.as('total'),
      completed: sql`count(*) filter (where ${completed})`.as('completed'),
      durationSum: sql`coalesce(sum(${r.durationSeconds}) filter (where ${completed}), 0)`.as('duration_sum'),
      durationCount: sql`count(${r.durationSeconds}) filter (where ${completed})`.as('duration_count'),
      scoreSum: sql`coalesce(sum(${r.qualityScore}) filter (where ${completed}), 0)`.as('score_sum'),
      scoreCount: sql`count(${r.qualityScore}) filter (where ${completed})`.as('score_count'),
      shareSum: sql`coalesce(sum(${inThousandths}) filter (where ${completed}), 0)`.as('share_sum'),
      shareCount: sql`count(${r.judgedShare}) filter (where ${completed})`.as('share_count'),
      awaiting: sql`count(*) filter (where ${r.awaitsReview})`.as('awaiting'),
    })
    .from(r)
    .where(
      and(
        eq(r.orgId, tx.orgId),
        eq(r.projectId, projectId),
        gte(r.callAt, from),
        lte(r.callAt, to),
        visibleRecords(visibility),
      ),
    );
}

function projectColumns({ ownUserId }: Visibility) {
  return {
    orgId: projects.orgId,
    id: projects.id,
    name: projects.name,
    description: projects.description,
    language: projects.language,
    profileId: projects.profileId,
    redactPii: projects.redactPii,
    redactNames: projects.redactNames,
    retentionDays: projects.retentionDays,
    channelMap: projects.channelMap,
    createdAt: projects.createdAt,
    updatedAt: projects.updatedAt,
    recordCount: (ownUserId === null ? countOfDays : countOfOwn(ownUserId)).mapWith(Number),
  };
}

// The outer columns are spelled out: drizzle omits their table, and they would resolve to the inner ones of the same
// name.
const countOfDays = sql<number>`(
  select coalesce(sum(d.pending + d.processing + d.completed + d.failed), 0)::float8
    from ${recordDays} d where d.org_id = projects.org_id and d.project_id = projects.id)`;

function countOfOwn(userId: string) {
  return sql<number>`(
    select count(*)::float8 from ${records} r
     where r.org_id = projects.org_id and r.project_id = projects.id
       and (r.uploaded_by = ${userId} or r.agent_user_id = ${userId}))`;
}

function allowed(tx: OrgTx, { projectIds }: Visibility): SQL | undefined {
  return and(
    eq(projects.orgId, tx.orgId),
    projectIds === null ? undefined : sql`${projects.id} = any(${sql.param(projectIds)})`,
  );
}

/**
 * Locks the project against deletion until the transaction ends, after waiting for a deletion in progress. Undefined if
 * there is none. Lock it first: a deletion locks the project before its contents.
 */
export async function holdProject(tx: OrgTx, id: string) {
  const [row] = await tx
    .select({ redaction: requestedRedaction })
    .from(projects)
    .where(byId(tx, projects, id))
    .for('share');
  return row;
}
