import { and, eq, gte, lt, sql, type SQL } from 'drizzle-orm';
import type { Visibility } from '../../auth/principal.ts';
import { equals } from '../../db/listing.ts';
import type { OrgTx } from '../../db/scope.ts';
import { analyses, overviewCounts, profiles, profileVersions, records } from '../../db/schema/index.ts';
import { visibleRecords } from '../visible-records.ts';
import type { Stretch } from './period.ts';

type Scope = { projectId: string | undefined; visibility: Visibility };
type Counted = Scope & {
  /** Where the counted period begins and ends, and where the current one begins. */
  from: Date;
  until: Date;
  presentFrom: Date;
  stretches: Stretch[];
};

export type Measures = {
  calls: number;
  completed: number;
  failed: number;
  scoreSum: number;
  scoreCount: number;
  durationSum: number;
  durationCount: number;
  passed: number;
  violated: number;
  reviewed: number;
  shareSum: number;
  shareCount: number;
  awaiting: number;
};

export type BreakdownRow = Pick<
  Measures,
  'calls' | 'failed' | 'scoreSum' | 'scoreCount' | 'violated' | 'shareSum' | 'shareCount' | 'awaiting'
> & {
  kind: 'agent' | 'category' | 'check';
  key: string;
  ref: string;
  isPresent: boolean;
};

const sumOf = (column: string): SQL => sql`coalesce(sum(c.${sql.raw(column)}), 0)::float8`;
const scores = sql`${sumOf('score_sum')} as "scoreSum", ${sumOf('score_count')} as "scoreCount"`;
const shares = sql`${sumOf('share_sum')} as "shareSum", ${sumOf('share_count')} as "shareCount", ${sumOf('awaiting')} as awaiting`;
const outcomes = sql`${sumOf('calls')} as calls, ${sumOf('failed')} as failed, ${sumOf('violated')} as violated, ${scores}`;

/** Totals of both periods, each only if it has calls. */
export function selectTotals(tx: OrgTx, counted: Counted) {
  return tx.execute<Measures & { isPresent: boolean }>(sql`
    select ${isPresent(counted)} as "isPresent", ${outcomes}, ${sumOf('completed')} as completed,
           ${sumOf('duration_sum')} as "durationSum", ${sumOf('duration_count')} as "durationCount",
           ${sumOf('passed')} as passed, ${sumOf('reviewed')} as reviewed, ${shares}
      from ${countsOf(tx, counted, ['call'])} group by 1`);
}

/** `day` counts from 1, in the order of the given beginnings. */
export function selectDays(tx: OrgTx, { days, ...counted }: Counted & { days: Date[] }) {
  const beginnings = sql.join(
    days.map((day) => instant(day)),
    sql`, `,
  );
  return tx.execute<Pick<Measures, 'calls' | 'scoreSum' | 'scoreCount' | 'violated'> & { day: number }>(sql`
    select width_bucket(c.at, array[${beginnings}]) as day, ${outcomes}
      from ${countsOf(tx, counted, ['call'])}
     where c.at >= ${instant(counted.presentFrom)} group by 1`);
}

/**
 * The results of agents, categories and checks in both periods. For an agent with several user ids, one is returned.
 */
export function selectBreakdown(tx: OrgTx, counted: Counted) {
  return tx.execute<BreakdownRow>(sql`
    select c.kind, c.key, max(c.ref) as ref, ${isPresent(counted)} as "isPresent", ${outcomes}, ${shares}
      from ${countsOf(tx, counted, ['agent', 'category', 'check'])} group by c.kind, c.key, 4`);
}

/** The titles in the current versions of the profiles. */
export function selectTitles(tx: OrgTx) {
  return tx.execute<{ kind: 'category' | 'check'; key: string; title: string }>(sql`
    select t.kind, t.key, t.title
      from ${profiles} p
      join ${profileVersions} v on (v.org_id, v.profile_id, v.version) = (p.org_id, p.id, p.current_version)
      cross join lateral jsonb_array_elements(v.rubric->'categories') category
      cross join lateral (
        select 'category' as kind, category->>'key' as key, category->>'title' as title
        union all
        select 'check', "check"->>'key', "check"->>'title' from jsonb_array_elements(category->'checks') "check"
      ) t
     where p.org_id = ${tx.orgId} order by p.deleted_at nulls first, p.id`);
}

const worstMax = 10;

/**
 * The lowest unreviewed scores of the period. Searched score by score, since the index is ordered by score and then
 * time: this reads neither calls of other times nor better ones.
 */
export function selectWorst(tx: OrgTx, { projectId, visibility, from, until }: Scope & { from: Date; until: Date }) {
  const columns = {
    recordId: records.id,
    projectId: records.projectId,
    fileName: records.fileName,
    agentName: records.agentName,
    startedAt: records.startedAt,
    callAt: records.callAt,
    createdAt: records.createdAt,
    score: sql<number>`${records.qualityScore}`.as('score'),
    complianceStatus: records.complianceStatus,
    analysisId: sql<string>`${records.analysisId}`.as('analysis_id'),
  };
  const isWanted = and(
    eq(records.orgId, tx.orgId),
    // Literals, as in the index that it uses.
    sql`${records.status} = 'completed' and not ${records.reviewed} and ${records.qualityScore} is not null`,
    gte(records.callAt, from),
    lt(records.callAt, until),
    equals(records.projectId, projectId),
    visibleRecords(visibility),
  );
  const order = [sql`${records.qualityScore}`, sql`${records.callAt} desc`, sql`${records.id} desc`];
  const ofScore = tx
    .select({ id: records.id })
    .from(records)
    .where(and(isWanted, sql`${records.qualityScore} = scores.score`))
    .orderBy(sql`${records.callAt} desc`)
    .limit(worstMax);
  const byScore = sql`select found.id from generate_series(0, 100) scores(score) cross join lateral (${ofScore}) found`;
  const candidates = visibility.ownUserId === null ? sql`${records.id} in (${byScore})` : isWanted;
  return tx
    .select({ ...columns, summary: analyses.summary })
    .from(records)
    .innerJoin(analyses, and(eq(analyses.orgId, records.orgId), eq(analyses.id, records.analysisId)))
    .where(and(eq(records.orgId, tx.orgId), candidates))
    .orderBy(...order)
    .limit(worstMax);
}

type Kind = (typeof overviewCounts.$inferSelect)['kind'];

/** As `c`: the counters of whole projects or, for an agent who only sees their own calls, a new count over those. */
function countsOf(tx: OrgTx, { projectId, visibility, from, until, stretches }: Counted, kinds: Kind[]): SQL {
  if (visibility.ownUserId !== null) return countsOfOwn(tx, { projectId, visibility, from, until }, kinds);
  const { projectIds } = visibility;
  const periods = sql.join(
    stretches.map(({ grain, ...period }) => {
      return sql`(${grain === 'day' ? 1 : 0}::smallint, ${instant(period.from)}, ${instant(period.until)})`;
    }),
    sql`, `,
  );
  return sql`(values ${periods}) p(grain, since, until)
    join ${overviewCounts} c on c.org_id = ${tx.orgId} and c.grain = p.grain and c.kind = any(${sql.param(kinds)})
     and c.at >= p.since and c.at < p.until
     and ${projectId === undefined ? sql`true` : sql`c.project_id = ${projectId}`}
     and ${projectIds === null ? sql`true` : sql`c.project_id = any(${sql.param(projectIds)})`}`;
}

function countsOfOwn(
  tx: OrgTx,
  { projectId, visibility, from, until }: Scope & { from: Date; until: Date },
  kinds: Kind[],
): SQL {
  const own = sql`select ${records}.* from ${records} where ${and(
    eq(records.orgId, tx.orgId),
    gte(records.callAt, from),
    lt(records.callAt, until),
    equals(records.projectId, projectId),
    visibleRecords(visibility),
  )}`;
  const ofRecords = sql`select counts.* from (${own}) r cross join lateral record_counts(r::records, 1) counts`;
  const ofAnalyses = sql`select counts.* from (${own}) r join ${analyses} a on (a.org_id, a.id) = (r.org_id, r.analysis_id)
    cross join lateral analysis_counts(a, 1) counts`;
  return sql`(select * from (${kinds.includes('category') ? sql`${ofRecords} union all ${ofAnalyses}` : ofRecords}) counts
    where counts.kind = any(${sql.param(kinds)})) c`;
}

function isPresent({ presentFrom }: Counted): SQL {
  return sql`c.at >= ${instant(presentFrom)}`;
}

function instant(date: Date): SQL {
  return sql`${date.toISOString()}::timestamptz`;
}
