import { z } from 'zod';
import { listInput, pageOf } from '../../lib/paging.ts';
import { Timestamp } from '../../lib/timestamp.ts';
import { AnalysisId, Scores } from '../../model/analysis.ts';
import { ComplianceStatus } from '../../model/scorecard.ts';
import { Author } from '../author.ts';
import { DisputeOutcome, reviewStatuses, ReviewStatus } from '../../model/review.ts';

export const Verdict = z.enum(['approved', 'adjusted', 'rejected']).meta({
  id: 'Verdict',
  description:
    '`approved`: the automatic scores stand. `adjusted`: those given replace them. `rejected`: none of them stands.',
});
export type Verdict = z.infer<typeof Verdict>;

const comment = z.string().trim().max(5_000);
const statement = comment.min(1).meta({ description: 'Plain text, up to 5,000 characters.' });

export const Dispute = z
  .object({
    comment: z.string(),
    author: Author,
    revision: z.int().meta({ description: 'The revision that is disputed.' }),
    createdAt: Timestamp,
  })
  .meta({ id: 'Dispute' });
export type Dispute = z.infer<typeof Dispute>;

export const Resolution = z
  .object({ outcome: DisputeOutcome, comment: z.string(), author: Author, createdAt: Timestamp })
  .meta({ id: 'Resolution' });
export type Resolution = z.infer<typeof Resolution>;

export const Review = z
  .object({
    id: z.string().meta({ description: 'Review id (`rev_…`).', examples: ['rev_01m7ysd48genfrajf5c3s9q7wd'] }),
    analysisId: AnalysisId,
    current: z.boolean().meta({
      description:
        'Whether its analysis is the one that the record shows; the review of a superseded one counts no more.',
    }),
    reviewer: Author.meta({ description: 'Who submitted the present revision.' }),
    verdict: Verdict,
    automatic: Scores.meta({ description: 'What was computed from the checks; never changed.' }),
    final: Scores.meta({ description: 'What counts: in lists, statistics, alerts and events.' }),
    comment: z.string().nullable(),
    revision: z.int().positive().meta({ description: 'Counts the submissions, from 1.' }),
    status: ReviewStatus,
    dispute: Dispute.nullable().meta({ description: 'Null unless the review is disputed or resolved.' }),
    resolution: Resolution.nullable().meta({ description: 'Null unless the review is resolved.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Review' });
export type Review = z.infer<typeof Review>;

export const ReviewParams = z.strictObject({ id: AnalysisId });

const score = z.int().min(0).max(100).nullable();

export const SubmitReviewInput = z
  .strictObject({
    id: AnalysisId,
    verdict: Verdict,
    categories: z
      .record(z.string(), score)
      .optional()
      .meta({
        description:
          'Score by category key, 0-100; null where the category does not apply. Required for `adjusted`, where categories left out keep their automatic score.',
        examples: [{ greeting: 80 }],
      }),
    complianceStatus: ComplianceStatus.optional(),
    comment: comment.nullish().meta({ description: 'Required unless `approved`.' }),
  })
  .refine(({ verdict, comment }) => verdict === 'approved' || Boolean(comment), {
    path: ['comment'],
    message: 'A review that does not approve needs a comment',
  })
  .refine(({ verdict, categories }) => verdict !== 'adjusted' || categories !== undefined, {
    path: ['categories'],
    message: 'An adjusted review needs the categories that it adjusts',
  })
  .refine(
    ({ verdict, categories, complianceStatus }) =>
      verdict !== 'adjusted' || complianceStatus !== undefined || !categories || Object.keys(categories).length > 0,
    { path: ['categories'], message: 'Nothing is adjusted' },
  );
export type SubmitReviewInput = z.infer<typeof SubmitReviewInput>;

export const DisputeReviewInput = z.strictObject({ id: AnalysisId, comment: statement });
export type DisputeReviewInput = z.infer<typeof DisputeReviewInput>;

export const ResolveReviewInput = z.strictObject({ id: AnalysisId, outcome: DisputeOutcome, comment: statement });
export type ResolveReviewInput = z.infer<typeof ResolveReviewInput>;

export const ReviewEntry = z
  .object({
    kind: z.enum(reviewStatuses),
    revision: z.int().positive().meta({ description: 'The revision that was submitted, disputed or resolved.' }),
    verdict: Verdict.nullable().meta({ description: 'Of a submission.' }),
    outcome: DisputeOutcome.nullable().meta({ description: 'Of a resolution.' }),
    final: Scores.nullable().meta({ description: 'Of a submission: the scores that it led to.' }),
    comment: z.string().nullable(),
    author: Author,
    createdAt: Timestamp,
  })
  .meta({ id: 'ReviewEntry' });
export type ReviewEntry = z.infer<typeof ReviewEntry>;

export const ListReviewEntriesInput = listInput({ sorts: ['createdAt'], order: 'asc' }, { id: AnalysisId });
export type ListReviewEntriesInput = z.infer<typeof ListReviewEntriesInput>;
export const ReviewEntryPage = pageOf(ReviewEntry).meta({ id: 'ReviewEntryPage' });
