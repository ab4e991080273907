import { sql } from 'drizzle-orm';
import type { Visibility } from '../../auth/principal.ts';
import type { OrgTx } from '../../db/scope.ts';
import { searchDocuments } from '../../db/schema/index.ts';
import type { SearchInput, SearchResult } from './schemas.ts';
import { matchEnd, matchStart } from './snippet.ts';

export type Match = Pick<SearchResult, 'recordId' | 'type' | 'score'> & {
  total: number;
  /** Plain text, with private characters around matches. */
  headline: string;
  createdAt: string;
};

const marks = `StartSel=${matchStart}, StopSel=${matchEnd}`;
const fragments = `${marks}, MaxWords=24, MinWords=8, ShortWord=0, FragmentDelimiter=" … "`;
const whole = `${marks}, HighlightAll=true`;
const wholeLengthMax = 200;
/** As in search_passages: longer bodies are never read as a whole. */
const bodySizeBytesMax = 4_000;

/** The best matches, best first, each with its matching text. Only these rows get snippets. */
export function selectMatches(tx: OrgTx, input: SearchInput, { projectIds, ownUserId }: Visibility): Promise<Match[]> {
  const { q, type = null, projectId = null, limit } = input;
  return tx.execute<Match>(sql`
    select m.record_id as "recordId", m.kind as type, m.score, m.total,
           to_char(d.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
           coalesce(
             case when octet_length(d.body) > ${bodySizeBytesMax}::int
                  then search_excerpt(d.org_id, d.record_id, d.kind, d.language, ${q}::text, ${fragments}::text) end,
             ts_headline(d.language::regconfig, b.body, websearch_to_tsquery(d.language::regconfig, ${q}::text),
               case when length(b.body) <= ${wholeLengthMax}::int then ${whole}::text
                    else ${`${fragments}, MaxFragments=2`}::text end)) as headline
      from search_matches(${q}::text, ${type}::text, ${projectId}::text, ${sql.param(projectIds)}::text[], ${ownUserId}::text,
             ${limit}::int) as m
      join ${searchDocuments} d on d.org_id = ${tx.orgId} and d.record_id = m.record_id and d.kind = m.kind
      -- A long one that has no passages yet shows its beginning.
     cross join lateral (select left(d.body, ${bodySizeBytesMax}::int) as body) b
     order by m.place`);
}

/** Splits long documents from an earlier version into passages, at most `documentsMax`. Returns how many there were. */
export async function cutPassages(tx: OrgTx, documentsMax: number): Promise<number> {
  const [row] = await tx.execute<{ count: number }>(sql`select cut_search_passages(${documentsMax}::int) as count`);
  return row?.count ?? 0;
}
