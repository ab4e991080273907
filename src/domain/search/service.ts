import { visibilityOf } from '../../auth/principal.ts';
import { isStatementTimeout } from '../../db/failures.ts';
import { AppError } from '../../lib/errors.ts';
import type { OrgContext } from '../context.ts';
import { selectMatches } from './queries.ts';
import type { SearchInput, SearchPage } from './schemas.ts';
import { toSnippet } from './snippet.ts';

export { cutPassages } from './queries.ts';

/**
 * Matches that the actor may see, best first. A text without searchable words finds nothing. Throws SERVICE_UNAVAILABLE
 * if the search takes too long.
 */
export async function search({ db, actor }: OrgContext, input: SearchInput): Promise<SearchPage> {
  const asked = { ...input, q: withoutDashes(input.q) };
  const matches = await db
    .searchOrg(actor.orgId, (tx) => selectMatches(tx, asked, visibilityOf(actor)))
    .catch((error: unknown) => {
      throw isStatementTimeout(error) ? tookTooLong(error) : error;
    });
  const data = matches.map(({ recordId, type, headline, score, createdAt }) => ({
    recordId,
    type,
    snippet: toSnippet(headline),
    score,
    createdAt: new Date(createdAt),
  }));
  return { data, meta: { total: matches[0]?.total ?? 0, query: input.q } };
}

function tookTooLong(cause: unknown): AppError {
  const message =
    'The search took too long and was ended. Look for fewer or rarer words, in one type or project; or try again shortly.';
  return new AppError('SERVICE_UNAVAILABLE', message, { headers: { 'Retry-After': '5' }, cause });
}

/**
 * Repeated minuses exclude nothing; they are a dash. Postgres would read each as the negation of the next one, and
 * gives up if there are too many.
 */
function withoutDashes(q: string): string {
  return q.replaceAll(/-(?:[^\p{L}\p{N}"]*-)+/gu, ' ');
}
