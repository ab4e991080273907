import { operationsOf, router } from '../../trpc/procedures.ts';
import { examples } from './examples.ts';
import {
  DisputeReviewInput,
  ListReviewEntriesInput,
  ResolveReviewInput,
  Review,
  ReviewEntryPage,
  ReviewParams,
  SubmitReviewInput,
} from './schemas.ts';
import { disputeReview, getReview, listReviewEntries, resolveReview, submitReview } from './service.ts';

const operation = operationsOf('Analyses', examples);
const path = '/analyses/{id}/review';

export const reviewsRouter = router({
  get: operation('getReview', {
    permission: 'analyses:read',
    route: `GET ${path}`,
    summary: 'Get the review of an analysis',
    description: 'The present revision: the automatic scores, the final ones and the state of a dispute.',
    errorResponses: { 404: 'Review not found.' },
  })
    .input(ReviewParams)
    .output(Review)
    .query(({ ctx, input }) => getReview(ctx.org, input)),

  submit: operation('submitReview', {
    permission: 'reviews:submit',
    route: `POST ${path}`,
    successStatus: 201,
    summary: 'Submit a review',
    description:
      'The first one answers 201, each further one 200 with the next `revision`. The final quality score is computed from the categories by the weights of the profile version; a critical category below 50 caps it at 49. A rejected review leaves no score but those given with it, and the compliance status `needs_review`. An adjustment that changes nothing is refused. Only the current analysis of a call can be reviewed, and not while a re-analysis of the call is under way: then 409 comes with `Retry-After`.',
    errorResponses: {
      409: 'The analysis is not completed, a later one has taken its place, or a re-analysis of the call is under way.',
    },
  })
    .input(SubmitReviewInput)
    .output(Review)
    .mutation(async ({ ctx, input }) => {
      const { review, isFirst } = await submitReview(ctx.org, input);
      if (isFirst) ctx.reply.headers['Location'] = `/api/v1/analyses/${review.analysisId}/review`;
      else ctx.reply.status = 200;
      return review;
    }),

  dispute: operation('disputeReview', {
    permission: 'reviews:dispute',
    route: `POST ${path}/dispute`,
    changes: path,
    summary: 'Dispute a review',
    description: 'Agents may dispute reviews of their own calls. Scores stay as they are.',
    errorResponses: {
      404: 'Review not found.',
      409: 'The review is disputed or resolved, a later analysis has taken the place of its own, or a re-analysis of the call is under way.',
    },
  })
    .input(DisputeReviewInput)
    .output(Review)
    .mutation(({ ctx, input }) => disputeReview(ctx.org, input)),

  resolve: operation('resolveReview', {
    permission: 'reviews:submit',
    route: `POST ${path}/resolve`,
    changes: path,
    summary: 'Resolve a dispute',
    description:
      'Ends a dispute with an outcome, also of a superseded analysis. To change scores, submit a further revision before or afterwards.',
    errorResponses: { 404: 'Review not found.', 409: 'The review is not disputed.' },
  })
    .input(ResolveReviewInput)
    .output(Review)
    .mutation(({ ctx, input }) => resolveReview(ctx.org, input)),

  history: operation('listReviewHistory', {
    permission: 'analyses:read',
    route: `GET ${path}/history`,
    summary: 'List what happened to a review',
    description: 'Every revision, dispute and resolution, oldest first unless sorted otherwise.',
    errorResponses: { 404: 'Review not found.' },
  })
    .input(ListReviewEntriesInput)
    .output(ReviewEntryPage)
    .query(({ ctx, input }) => listReviewEntries(ctx.org, input)),
});
