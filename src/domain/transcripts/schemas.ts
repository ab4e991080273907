import { z } from 'zod';
import { RecordParams } from '../../model/record.ts';

const partMax = 200;

export const TranscriptPartInput = RecordParams.extend({
  from: z.int32().min(0).default(0).meta({ description: '`index` of the first segment, from 0.' }),
  count: z
    .int()
    .min(1)
    .max(partMax)
    .default(50)
    .meta({ description: `How many segments at most, up to ${partMax}.` }),
});
export type TranscriptPartInput = z.infer<typeof TranscriptPartInput>;
