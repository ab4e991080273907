import { visibilityOf } from '../../auth/principal.ts';
import type { OrgContext } from '../context.ts';
import { selectMatches } from './queries.ts';
import type { SearchInput, SearchPage } from './schemas.ts';
import { toSnippet } from './snippet.ts';

/** What the actor may see, best first. A text without a word to look for finds nothing. */
export async function search({ db, actor }: OrgContext, input: SearchInput): Promise<SearchPage> {
  const matches = await db.readOrg(actor.orgId, (tx) => selectMatches(tx, input, visibilityOf(actor)));
  const data = matches.map(({ recordId, type, headline, score, createdAt }) => ({
    recordId,
    type,
    snippet: toSnippet(headline),
    score,
    createdAt: new Date(createdAt),
  }));
  return { data, meta: { total: matches[0]?.total ?? 0, query: input.q } };
}
