import { operationsOf, router } from '../../trpc/procedures.ts';
import { RecordReceipt } from '../records/schemas.ts';
import { examples } from './examples.ts';
import { reanalyze } from './reanalyze.ts';
import { retryRecord } from './retry.ts';
import { ReanalysisReceipt, ReanalyzeInput, RetryInput, SwapSpeakersInput } from './schemas.ts';
import { swapSpeakers } from './swap-speakers.ts';

const operation = operationsOf('Records', examples);
const ofAnalyses = operationsOf('Analyses', examples);
const budgetExceeded = 'The budget of this month leaves no room for further processing.';

/** Procedures below `records`. */
export const processingRouter = router({
  retry: operation('retryRecord', {
    permission: 'records:retry',
    route: 'POST /records/{id}/retry',
    summary: 'Process a failed record again',
    description:
      'Moves a `failed` record back to `pending`, where its `failure.retryable` says that this can help, or where you give a new `recordingUrl`. Not once retention has deleted the call.',
    errorResponses: {
      402: budgetExceeded,
      409: 'Processing this record again would not help: The recording contains no sound.',
    },
  })
    .input(RetryInput)
    .output(RecordReceipt)
    .mutation(({ ctx, input }) => retryRecord(ctx.org, input)),

  swapSpeakers: operation('swapSpeakers', {
    permission: 'analyses:reanalyze',
    route: 'POST /records/{id}/swap-speakers',
    successStatus: 202,
    summary: 'Swap agent and customer',
    description:
      'For a call whose two parties were taken for each other: orders a further analysis of the transcript with their roles swapped, by the profile of the current one. The record shows transcript and scores together once that is completed; until then, and where it fails, it shows the old ones.',
    errorResponses: {
      402: budgetExceeded,
      409: 'The record is not completed, a re-analysis of it is under way, or it was reviewed and `replaceReview` is not `true`.',
      422: 'The transcript does not have exactly two roles that speak, or it was deleted at the end of its retention period.',
    },
  })
    .input(SwapSpeakersInput)
    .output(ReanalysisReceipt)
    .mutation(async ({ ctx, input }) => {
      const receipt = await swapSpeakers(ctx.org, input);
      ctx.reply.headers['Location'] = `/api/v1/analyses/${receipt.id}`;
      return receipt;
    }),
});

/** Procedures below `analyses`. */
export const reanalysisRouter = router({
  reanalyze: ofAnalyses('reanalyze', {
    permission: 'analyses:reanalyze',
    route: 'POST /analyses/{id}/re-analyze',
    successStatus: 202,
    summary: 'Analyse a call again',
    description:
      'Scores the call by another profile, or by the present version of the same one. The new analysis becomes the current one when it is completed; until then, and where it fails, the record shows the old one. The record stays `completed`. Reviews and annotations stay with their version, and the call is not reviewed meanwhile. A call that was reviewed is analysed again only with `replaceReview: true`.',
    errorResponses: {
      402: budgetExceeded,
      409: 'A re-analysis of this record is under way, or it was reviewed and `replaceReview` is not `true`.',
      422: 'There is no such profile, or the transcript was deleted at the end of its retention period.',
    },
  })
    .input(ReanalyzeInput)
    .output(ReanalysisReceipt)
    .mutation(async ({ ctx, input }) => {
      const receipt = await reanalyze(ctx.org, input);
      ctx.reply.headers['Location'] = `/api/v1/analyses/${receipt.id}`;
      return receipt;
    }),
});
