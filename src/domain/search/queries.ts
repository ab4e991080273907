import { sql, type Placeholder, type SQL } from 'drizzle-orm';
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
/**
 * With filters, a sample is counted, and tells what to go through, and how far. Steps, since each is a statement of its own.
 */
const sampled = 250;
const most = 50_000;
const lookedThrough = [750, 1_100, 1_600, 2_400, 3_600, 6_000, 12_000, 25_000, most];
/** For a share that is measured in a sample. */
const allowance = 1.4;
/** As in put_search_passages: longer bodies are never read as a whole. */
const bodySizeBytesMax = 4_000;
/** As in search_found: what is ranked at all. */
const rankedBytesMax = 64_000_000;

const ask = createStatements();

type Found = { total: number; matches: Match[] };

/**
 * What is gone through, from the newest on: matches, for those whose calls pass the filters; or calls that pass, for
 * those that match. Where both are frequent, either soon gives what is ranked; where one is rare, it has to be that one.
 */
type Search = { through: 'everything' } | { through: 'sample' } | { through: 'matches' | 'calls'; countMax: number };
type Looked = Found & { looked: number; callsBefore: number };

/**
 * A page of the best matches, and the number of all that are ranked. Only the page's rows get their texts. A scope of
 * reading takes no statement after an answer, so looking through more is one of its own.
 */
export async function findMatches(db: Database, asked: Asked): Promise<Found> {
  const find = (search: Search) => db.searchOrg(asked.orgId, (tx) => select(tx, asked, search));
  if (asked.filter === null) return find({ through: 'everything' });
  const sample = await find({ through: 'sample' });
  if (sample.looked < sampled) return find({ through: 'matches', countMax: sampled });
  const passing = Math.max(sample.total, 1) / sampled;
  const matching = sampled / Math.max(sample.callsBefore, 1);
  const through = passing < matching ? 'calls' : 'matches';
  const enough = (rankedMax / Math.max(passing, matching)) * allowance;
  const countMax = lookedThrough.find((count) => count >= enough) ?? most;
  const found = await find({ through, countMax });
  const isMost = countMax === most;
  if (found.total === rankedMax || found.looked < countMax || (isMost && through === 'matches')) return found;
  return find({ through: isMost ? 'matches' : through, countMax: most });
}

async function select(tx: OrgTx, asked: Asked, search: Search): Promise<Looked> {
  const { query, type, projectId, visibility, filter } = asked;
  const { projectIds, ownUserId } = visibility;
  const rows = await ask(tx, {
    shape: Object.values(search).join(' '),
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
      // A sample is only counted.
      ...(search.through === 'sample' && { limit: 0 }),
    },
    build: (db, given) =>
      db
        .select({
          total: sql<number>`m.total`,
          looked: sql<number>`m.looked`,
          callsBefore: sql<number>`m.calls_before`,
          match: sql<Match | null>`m.match`,
        })
        .from(sql`(${matchesOf(given, rankedIn(given, search))}) as m`),
  });
  const [{ total, looked, callsBefore } = { total: 0, looked: 0, callsBefore: 0 }] = rows;
  return { total, looked, callsBefore, matches: rows.flatMap(({ match }) => (match ? [match] : [])) };
}

type Given = Record<
  'orgId' | 'q' | 'prefixes' | 'type' | 'project' | 'projects' | 'own' | 'limit' | 'offset',
  Placeholder
>;

/** Common table expressions up to `ranked` (record_id, kind, score, place); `looked` is how many were gone through. */
type Ranked = { tables: SQL; looked: SQL; callsBefore: SQL };

function rankedIn(given: Given & Record<string, Placeholder>, search: Search): Ranked {
  const none = sql`0`;
  if (search.through === 'everything') {
    const tables = sql`ranked as materialized (select * from ${searched(given, rankedMax, true)})`;
    return { tables, looked: none, callsBefore: none };
  }
  const conditions = recordConditions(given);
  if (search.through === 'sample') {
    const tables = sql`
      found as materialized (select * from ${searched(given, sampled, false)}),
      ranked as materialized (select k.*, 0::float8 as score from (${passingMatches(given, conditions)}) k)`;
    return { tables, looked: sql`(select count(*)::int from found)`, callsBefore: newerCalls(given) };
  }
  const { countMax } = search;
  if (search.through === 'calls') {
    const tables = sql`
      passing as materialized (
        select ${records.id}, ${records.createdAt} from ${records} where ${conditions}
         order by ${records.createdAt} desc, ${records.id} desc limit ${sql.raw(`${countMax}`)}),
      ranked as materialized (${rankedOf(given, matchingCalls(given))})`;
    return { tables, looked: sql`(select count(*)::int from passing)`, callsBefore: none };
  }
  const tables = sql`
    found as materialized (select * from ${searched(given, countMax, false)}),
    ranked as materialized (${rankedOf(given, passingMatches(given, conditions))})`;
  return { tables, looked: sql`(select count(*)::int from found)`, callsBefore: none };
}

function matchesOf(given: Given, { tables, looked, callsBefore }: Ranked): SQL {
  const { orgId, q, prefixes, limit, offset } = given;
  return sql`
    with ${tables},
    page as (
      select r.*, row_number() over (order by r.score desc, r.place) as position from ranked r
       order by position limit ${limit}::int offset ${offset}::bigint
    )
    select t.total, t.looked, t.calls_before, x.match
      from (select (select count(*)::int from ranked) as total, ${looked} as looked, ${callsBefore} as calls_before) t
      left join (
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

/** Of what was found, the newest whose calls pass. */
function passingMatches({ orgId }: Given, conditions: SQL | undefined): SQL {
  return sql`
    select f.record_id, f.kind, f.place from found f
      join ${records} on ${records.orgId} = ${orgId} and ${records.id} = f.record_id
     where ${conditions} order by f.place limit ${sql.raw(`${rankedMax}`)}`;
}

/** Of the calls that pass, the newest that match, in the order of search_found. */
function matchingCalls({ orgId, type }: Given): SQL {
  return sql`
    select m.*, row_number() over () as place from (
      select c.id as record_id, o.kind from passing c
       cross join wanted w
       cross join lateral (
         select n.kind from ${searchDocuments} n
          where n.org_id = ${orgId} and n.record_id = c.id and (${type}::text is null or n.kind = ${type}::text)
            and n.lexemes @@ w.wanted offset 0) o
       order by c.created_at desc, c.id desc, o.kind limit ${sql.raw(`${rankedMax}`)}) m`;
}

function rankedOf(given: Given, chosen: SQL): SQL {
  const { orgId, q, prefixes } = given;
  return sql`
    with wanted as materialized (select search_wanted(${orgId}::text, ${q}::text, ${prefixes}::text[]) as wanted)
    select k.record_id, k.kind, k.place,
           case when sum(pg_column_size(d.lexemes)) over (order by k.place rows unbounded preceding) <= ${sql.raw(`${rankedBytesMax}`)}
                then search_score(k.kind, d.lexemes, w.wanted) else 0 end as score
      from (${chosen}) k
      join ${searchDocuments} d on d.org_id = ${orgId} and d.record_id = k.record_id and d.kind = k.kind
     cross join wanted w`;
}

/** How many calls are as new as the oldest of what was found, up to the most that are ever looked through. */
function newerCalls({ orgId }: Given): SQL {
  return sql`(
    select count(*)::int from (
      select from ${records}
       where ${records.orgId} = ${orgId} and ${records.createdAt} >= (
         select d.created_at from (select * from found order by place desc limit 1) f
           join ${searchDocuments} d on d.org_id = ${orgId} and d.record_id = f.record_id and d.kind = f.kind)
       limit ${sql.raw(`${most}`)}) as newer)`;
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
