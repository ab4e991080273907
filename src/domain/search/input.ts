import { z } from 'zod';
import { ListRecordsInput } from '../records/service.ts';
import { isTooShort, readQueryText } from './query-text.ts';
import { SearchType } from './schemas.ts';

const wordsMax = 32;
const eitherSize = 'Send `limit` or `pageSize`, not both.';
/** Postgres collects all matches of each, and does not end before it has: a deadline does not hold for that. */
const beginningsMax = 8;

/** What is ranked has no order of its own, and no place in it to go on from. */
const { sort: _sort, order: _order, cursor: _cursor, ...filters } = ListRecordsInput.shape;
const sizeUnsaid = ListRecordsInput.parse({}).pageSize;

/** The filters of the list of records, and what is looked for. */
export const SearchInput = z
  .strictObject({
    q: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .refine((q) => countWords(q) <= wordsMax, { error: `Too broad: look for at most ${wordsMax} words.` })
      .refine((q) => !isTooShort(q), { error: 'Too broad: give at least two letters before `*`.' })
      .refine((q) => readQueryText(q).prefixes.length <= beginningsMax, {
        error: `Too broad: give at most ${beginningsMax} beginnings of words.`,
      })
      .meta({
        description:
          'Words that must all appear, at most 32; `"words in a row"`, `or` between alternatives, `-word` for what must not appear, `refund*` for words that begin so, at most 8 of these. Words are reduced to their stem by the language of the project, and found with or without accents; those that say nothing in it (`the`) are passed over. Chinese, Japanese, Thai and others are found without spaces.',
        examples: ['refund* -cancelled'],
      }),
    type: SearchType.optional().meta({ description: 'Only results of this type.' }),
    limit: z
      .int()
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'How many results at most, by default 20: the same as `pageSize`.' }),
    ...filters,
  })
  .check((ctx) => {
    if (ctx.issues.length > 0) return;
    const { q: _q, type: _type, limit, ...given } = ctx.value;
    if (limit !== undefined && ![limit, sizeUnsaid].includes(given.pageSize)) {
      ctx.issues.push({ code: 'custom', input: ctx.value, path: ['pageSize'], message: eitherSize });
    }
    const { error } = ListRecordsInput.safeParse(given);
    for (const { path, message } of error?.issues ?? []) {
      ctx.issues.push({ code: 'custom', input: ctx.value, path, message });
    }
  });
export type SearchInput = z.infer<typeof SearchInput>;

/** Parts of numbers and addresses count separately, as each is searched for. */
function countWords(q: string): number {
  return q.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}
