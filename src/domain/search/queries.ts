import { and, sql, type Placeholder, type SQL } from 'drizzle-orm';
import type { Visibility } from '../../auth/principal.ts';
import { createStatements } from '../../db/driver/statements.ts';
import type { Database, OrgTx } from '../../db/scope.ts';
import { records, searchDocuments } from '../../db/schema/index.ts';
import { pageWindow, type PageRequest } from '../../lib/paging.ts';
import { filterValues, recordConditions, type RecordFilter } from '../records/service.ts';
import type { QueryText } from './query-text.ts';
import type { SearchResult } from './schemas.ts';
import type { Part } from './snippet.ts';

export type Asked = PageRequest & {
  orgId: string;
  query: QueryText;
  type: SearchResult['type'] | null;
  projectId: string | null;
  visibility: Visibility;
  /** Of the records, beside project and visibility; null if there are none. */
  filter: RecordFilter | null;
};

export type Match = Pick<SearchResult, 'recordId' | 'type' | 'score'> & {
  createdAt: string;
  /** Of a transcript: when each segment begins, and who says it. */
  starts: number[] | null;
  roles: string | null;
  parts: Part[];
};

const rankedMax = 1_000;
/** So many matches are looked through for those that pass the filters: few at first, which often is enough. */
const lookedThrough = [4_000, 50_000] as const;
/** As in put_search_passages: longer bodies are never read as a whole. */
const bodySizeBytesMax = 4_000;
/** As in search_found: what is ranked at all. */
const rankedBytesMax = 64_000_000;

const ask = createStatements();

type Found = { total: number; matches: Match[] };

/**
 * A page of the best matches, and the number of all that are ranked. Only the page's rows get their texts. A scope of
 * reading takes no statement after an answer, so looking through more is one of its own.
 */
export async function findMatches(db: Database, asked: Asked): Promise<Found> {
  const [few, many] = lookedThrough;
  const find = (countMax: number) => db.searchOrg(asked.orgId, (tx) => select(tx, asked, countMax));
  if (asked.filter === null) return find(rankedMax);
  const found = await find(few);
  return found.looked < few || found.total === rankedMax ? found : find(many);
}

async function select(tx: OrgTx, asked: Asked, countMax: number): Promise<Found & { looked: number }> {
  const { query, type, projectId, visibility, filter } = asked;
  const { projectIds, ownUserId } = visibility;
  const rows = await ask(tx, {
    shape: filter === null ? 'all' : `filtered ${countMax}`,
    values: {
      ...(filter !== null && filterValues(tx, filter)),
      orgId: tx.orgId,
      q: query.text,
      prefixes: query.prefixes,
      type,
      project: projectId,
      projects: projectIds,
      own: ownUserId,
      ...pageWindow(asked),
    },
    build: (db, given) =>
      db
        .select({
          total: sql<number>`m.total`,
          looked: sql<number>`m.looked`,
          match: sql<Match | null>`m.match`,
        })
        .from(
          sql`(${matchesOf(given, { countMax, conditions: filter === null ? null : recordConditions(given) })}) as m`,
        ),
  });
  const [{ total, looked } = { total: 0, looked: 0 }] = rows;
  return { total, looked, matches: rows.flatMap(({ match }) => (match ? [match] : [])) };
}

type Given = Record<
  'orgId' | 'q' | 'prefixes' | 'type' | 'project' | 'projects' | 'own' | 'limit' | 'offset',
  Placeholder
>;

type Searched = { countMax: number; conditions: SQL | null | undefined };

function matchesOf(given: Given, { countMax, conditions }: Searched): SQL {
  const { orgId, q, prefixes, limit, offset } = given;
  const isRanked = conditions === null;
  return sql`
    with found as materialized (select * from ${searched(given, countMax, isRanked)}),
    ranked as materialized (${isRanked ? sql`select * from found` : foundAmong(given, conditions)}),
    page as (
      select r.*, row_number() over (order by r.score desc, r.place) as position from ranked r
       order by position limit ${limit}::int offset ${offset}::bigint
    )
    select t.total, t.looked, x.match
      from (select (select count(*)::int from ranked) as total, (select count(*)::int from found) as looked) t left join (
      select p.position, json_build_object('recordId', p.record_id, 'type', p.kind, 'score', p.score,
               'createdAt', to_char(d.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
               'starts', d.starts, 'roles', d.roles, 'parts', s.parts) as match
        from page p
        join ${searchDocuments} d on d.org_id = ${orgId} and d.record_id = p.record_id and d.kind = p.kind
       cross join lateral (
         select json_agg(json_build_object('firstLine', part.first_line, 'marked', part.marked)) as parts
           -- A long one that has no passages yet shows its beginning.
           from search_parts(d.org_id, d.record_id, d.kind, d.language, left(d.body, ${sql.raw(`${bodySizeBytesMax}`)}),
                  ${q}::text, ${prefixes}::text[]) as part) s
    ) x on true
     order by x.position`;
}

/** Looks through the newest matches for records that pass, and ranks the newest of these. */
function foundAmong(given: Given, conditions: SQL | undefined): SQL {
  const { orgId, q, prefixes } = given;
  const passing = sql`
    select f.record_id, f.kind, f.place from found f
      join ${records} on ${records.orgId} = ${orgId} and ${records.id} = f.record_id
     where ${and(conditions)} order by f.place limit ${sql.raw(`${rankedMax}`)}`;
  return sql`
    select k.record_id, k.kind, k.place,
           case when sum(pg_column_size(d.lexemes)) over (order by k.place rows unbounded preceding) <= ${sql.raw(`${rankedBytesMax}`)}
                then search_score(k.kind, d.lexemes, w.wanted) else 0 end as score
      from (${passing}) k
      join ${searchDocuments} d on d.org_id = ${orgId} and d.record_id = k.record_id and d.kind = k.kind
     cross join (select search_wanted(${orgId}::text, ${q}::text, ${prefixes}::text[]) as wanted offset 0) w`;
}

function searched({ q, prefixes, type, project, projects, own }: Given, limit: number, isRanked: boolean): SQL {
  return sql`search_found(${q}::text, ${prefixes}::text[], ${type}::text, ${project}::text, ${projects}::text[], ${own}::text,
    ${sql.raw(`${limit}, ${isRanked}`)})`;
}

/** Documents of an earlier version, at most `countMax` calls of them. Returns how many there were. */
export async function indexAnew(tx: OrgTx, countMax: number): Promise<number> {
  const [row] = await tx.execute<{ count: number }>(
    sql`select greatest(remake_search(${countMax}::int), cut_search_passages(${countMax}::int)) as count`,
  );
  return row?.count ?? 0;
}
