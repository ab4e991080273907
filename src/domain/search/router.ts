import { operationsOf, router } from '../../trpc/procedures.ts';
import { examples } from './examples.ts';
import { SearchInput } from './input.ts';
import { SearchPage } from './schemas.ts';
import { search } from './service.ts';

const operation = operationsOf('Search', examples);

export const searchRouter = router({
  query: operation('search', {
    permission: 'search',
    route: 'GET /search',
    mcp: { title: 'Search calls' },
    summary: 'Search records, transcripts and analyses',
    description:
      'Full text over everything that you may see, with the filters of the list of records. What was said and facts of the call come before what was written about it, the most relevant first. Of more than 1,000 matches the newest 1,000 are ranked, and 50,000 are looked through for those that pass the filters. A search that takes longer than two seconds is ended (503): look for fewer or rarer words, or in one type or project. Results are in step with what they describe: a record is found as soon as it is accepted, and no more once it is deleted.',
  })
    .input(SearchInput)
    .output(SearchPage)
    .query(({ ctx, input }) => search(ctx.org, input)),
});
