import { visibilityOf, type Actor } from '../../auth/principal.ts';
import { isStatementTimeout } from '../../db/failures.ts';
import { AppError } from '../../lib/errors.ts';
import { parsePeriod } from '../../lib/timestamp.ts';
import type { SpeakerRole } from '../../model/transcript.ts';
import type { OrgContext } from '../context.ts';
import { recordFilters, type RecordFilter } from '../records/service.ts';
import type { SearchInput } from './input.ts';
import { findMatches, type Match } from './queries.ts';
import { readQueryText, type QueryText } from './query-text.ts';
import type { SearchPage, SearchResult } from './schemas.ts';
import { cutSnippet } from './snippet.ts';

export { indexAnew } from './queries.ts';

/**
 * Matches that the actor may see, best first. A text without searchable words finds nothing. Throws SERVICE_UNAVAILABLE
 * if the search takes too long.
 */
export async function search({ db, actor }: OrgContext, input: SearchInput): Promise<SearchPage> {
  const { page, type = null, projectId = null } = input;
  const pageSize = input.limit ?? input.pageSize;
  const query = readQueryText(input.q);
  const asked = {
    orgId: actor.orgId,
    query,
    page,
    pageSize,
    type,
    projectId,
    visibility: visibilityOf(actor),
    filter: filterOf(input, actor),
  };
  const { total, matches } = await findMatches(db, asked).catch((error: unknown) => {
    throw isStatementTimeout(error) ? tookTooLong(error) : error;
  });
  const data = matches.map((match) => toResult(match, query));
  return { data, meta: { page, pageSize, total, query: input.q } };
}

/** What the index of words does not know of a record. Null if none of it is asked for. */
function filterOf(input: SearchInput, actor: Actor): RecordFilter | null {
  const { q: _q, type: _type, limit: _limit, page: _page, pageSize: _pageSize, from, to, ...filters } = input;
  const names = Object.keys(recordFilters).filter((name) => name !== 'projectId' && Object.hasOwn(filters, name));
  if (from === undefined && to === undefined && names.length === 0) return null;
  return { ...filters, ...parsePeriod({ from, to }), visibility: visibilityOf(actor) };
}

const roles: Record<string, SpeakerRole> = { a: 'agent', c: 'customer', i: 'ivr', u: 'unknown' };

function toResult({ starts, roles: letters, parts, createdAt, ...match }: Match, query: QueryText): SearchResult {
  const { snippet, line } = cutSnippet(parts, query);
  const startMs = line === null ? undefined : starts?.[line];
  const role = roles[letters?.[line ?? -1] ?? ''];
  const segment = line === null || startMs === undefined || !role ? null : { index: line, role, startMs };
  return { ...match, snippet, segment, createdAt: new Date(createdAt) };
}

function tookTooLong(cause: unknown): AppError {
  const message =
    'The search took too long and was ended. Look for fewer or rarer words, in one type or project; or try again shortly.';
  return new AppError('SERVICE_UNAVAILABLE', message, { headers: { 'Retry-After': '5' }, cause });
}
