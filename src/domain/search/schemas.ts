import { z } from 'zod';
import { Timestamp } from '../../lib/timestamp.ts';

export const SearchType = z.enum(['record', 'transcript', 'analysis']).meta({
  id: 'SearchType',
  description:
    '`record`: agent, your id of the call, file name, metadata. `transcript`: what was said. `analysis`: summary, topics, improvements, action items, findings, comment of the review.',
});

const wordsMax = 32;

export const SearchInput = z.strictObject({
  q: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .refine((q) => countWords(q) <= wordsMax, { error: `Too broad: look for at most ${wordsMax} words.` })
    .meta({
      description:
        'Words that must all appear, at most 32; `"words in a row"`, `or` between alternatives, `-word` for what must not appear. Words are reduced to their stem by the language of the project; those that say nothing in it (`the`) are passed over.',
      examples: ['refund -cancelled'],
    }),
  type: SearchType.optional().meta({ description: 'Only results of this type.' }),
  projectId: z.string().optional().meta({ description: 'Only results of this project.' }),
  limit: z.int().min(1).max(100).default(20).meta({ description: 'How many results at most.' }),
});
export type SearchInput = z.infer<typeof SearchInput>;

export const SearchResult = z
  .object({
    recordId: z.string().meta({ description: 'The record that it belongs to.' }),
    type: SearchType,
    snippet: z.string().meta({
      description: 'What matched, with `<mark>` around it; everything else is HTML-escaped. Plain text otherwise.',
    }),
    score: z.number().meta({ description: 'Relevance, from 0 to 1; comparable within one answer.' }),
    createdAt: Timestamp.meta({ description: 'Of the record.' }),
  })
  .meta({ id: 'SearchResult' });
export type SearchResult = z.infer<typeof SearchResult>;

export const SearchPage = z
  .object({
    data: z.array(SearchResult),
    meta: z.object({
      total: z.int().meta({ description: 'Number of matches; counting stops at 1,000.' }),
      query: z.string().meta({ description: '`q` as it was understood: without spaces around it.' }),
    }),
  })
  .meta({ id: 'SearchPage' });
export type SearchPage = z.infer<typeof SearchPage>;

/** Parts of numbers and addresses count separately, as each is searched for. */
function countWords(q: string): number {
  return q.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}
