import { type Json, type OperationExamples } from '../../trpc/examples.ts';
import { ids } from '../example-story.ts';
import type { SearchResult } from './schemas.ts';

const searchResult: Json<SearchResult> = {
  recordId: ids.record,
  type: 'transcript',
  snippet: 'I was charged twice and would like a <mark>refund</mark> for the second payment.',
  score: 0.5455,
  segment: { index: 1, role: 'customer', startMs: 6200 },
  createdAt: '2026-03-02T09:15:27.041Z',
};

const results = { data: [searchResult], meta: { page: 1, pageSize: 20, total: 1, query: 'refund' } };

export const examples = {
  search: {
    responses: { 200: { examples: { 'application/json': { example: { summary: 'q=refund', value: results } } } } },
  },
} satisfies Record<string, OperationExamples>;
