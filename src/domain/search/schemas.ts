import { z } from 'zod';
import { Timestamp } from '../../lib/timestamp.ts';
import { SpeakerRole } from '../../model/transcript.ts';

export const SearchType = z.enum(['record', 'transcript', 'analysis']).meta({
  id: 'SearchType',
  description:
    '`record`: agent, your id of the call, file name, metadata. `transcript`: what was said. `analysis`: summary, topics, improvements, action items, findings, comment of the review.',
});

export const SearchResult = z
  .object({
    recordId: z.string().meta({ description: 'The record that it belongs to.' }),
    type: SearchType,
    snippet: z.string().meta({
      description: 'What matched, with `<mark>` around it; everything else is HTML-escaped. Plain text otherwise.',
    }),
    score: z.number().meta({ description: 'Relevance, from 0 to 1; comparable within one answer.' }),
    segment: z
      .object({
        index: z.int().nonnegative().meta({ description: 'Position in the transcript, from 0.' }),
        role: SpeakerRole,
        startMs: z.int().nonnegative().meta({ description: 'Milliseconds from the start of the recording.' }),
      })
      .nullable()
      .meta({
        description:
          'Of a transcript: the segment in which most of it was said, by whom and when. Null for other types, and for calls from before 0.3 until they are indexed anew.',
      }),
    createdAt: Timestamp.meta({ description: 'Of the record.' }),
  })
  .meta({ id: 'SearchResult' });
export type SearchResult = z.infer<typeof SearchResult>;

export const SearchPage = z
  .object({
    data: z.array(SearchResult),
    meta: z.object({
      page: z.int(),
      pageSize: z.int(),
      total: z.int().meta({ description: 'Number of matches; counting stops at 1,000.' }),
      query: z.string().meta({ description: '`q` as it was understood: without spaces around it.' }),
    }),
  })
  .meta({ id: 'SearchPage' });
export type SearchPage = z.infer<typeof SearchPage>;
