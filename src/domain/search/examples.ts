import { type Json, type OperationExamples } from '../../trpc/examples.ts';
import { ids } from '../example-story.ts';
import type { SearchResult } from './schemas.ts';

const searchResult: Json<SearchResult> = {
  recordId: ids.record,
  type: 'transcript',
  snippet: 'I was charged twice and would like a <mark>refund</mark> for the second payment.',
  score: 0.0909,
  createdAt: '2026-03-02T09:15:27.041Z',
};

const results = { data: [searchResult], meta: { total: 1, query: 'refund' } };

export const examples = {
  search: {
    responses: { 200: { examples: { 'application/json': { example: { summary: 'q=refund', value: results } } } } },
  },
} satisfies Record<string, OperationExamples>;
