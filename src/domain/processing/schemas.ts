import { z } from 'zod';
import { Timestamp } from '../../lib/timestamp.ts';
import { AnalysisStatus, AnalysisId } from '../../model/analysis.ts';
import { RecordingUrl, RecordParams } from '../../model/record.ts';

export const RetryInput = RecordParams.extend({
  recordingUrl: RecordingUrl.optional().meta({
    description: 'A new address of the recording, where the former one was wrong or what lay there cannot be read.',
  }),
});
export type RetryInput = z.infer<typeof RetryInput>;

export const ReplaceReview = z.boolean().default(false).meta({
  description:
    'Of a call that was reviewed: whether the new analysis may take the place of the review. Until it is completed the reviewed score stays in force.',
});

export const ReanalyzeInput = z.strictObject({
  id: AnalysisId,
  profileId: z.string().meta({ description: 'The profile to score by, in its present version.' }),
  retranscribe: z
    .boolean()
    .default(false)
    .meta({ description: 'Transcribe the recording again instead of using the transcript that is there.' }),
  replaceReview: ReplaceReview,
  reason: z.string().trim().max(1_000).nullish().meta({ description: 'For people; kept with the new analysis.' }),
});

export type ReanalyzeInput = z.infer<typeof ReanalyzeInput>;

/** The answer to a request for a re-analysis. */
export const ReanalysisReceipt = z
  .object({
    id: AnalysisId.meta({ description: 'The new analysis.' }),
    previousAnalysisId: AnalysisId.meta({ description: 'The analysis that was named in the request.' }),
    recordId: z.string(),
    profileId: z.string(),
    status: AnalysisStatus,
    createdAt: Timestamp,
  })
  .meta({ id: 'ReanalysisReceipt' });

export type ReanalysisReceipt = z.infer<typeof ReanalysisReceipt>;

export const SwapSpeakersInput = RecordParams.extend({
  replaceReview: ReplaceReview,
  reason: z.string().trim().max(1_000).nullish().meta({ description: 'For people; kept with the new analysis.' }),
});

export type SwapSpeakersInput = z.infer<typeof SwapSpeakersInput>;
