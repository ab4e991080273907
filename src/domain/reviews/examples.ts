import { type Json, one, type OperationExamples, page } from '../../trpc/examples.ts';
import { ids, reviewer } from '../example-story.ts';
import { analysis } from '../analyses/examples.ts';
import type { Review, ReviewEntry } from './schemas.ts';

/** (1 × 100 + 3 × 100) / 4 = 100: the reviewer heard the name that recognition missed. */
const review: Json<Review> = {
  id: ids.review,
  analysisId: ids.analysis,
  current: true,
  reviewer,
  verdict: 'adjusted',
  automatic: analysis.automatic,
  final: {
    qualityScore: 100,
    judgedShare: 1,
    needsReviewCount: 0,
    categories: { greeting: 100, problemResolution: 100 },
    complianceStatus: 'passed',
  },
  comment: 'The name is said at 0:02, just not recognised.',
  revision: 1,
  status: 'submitted',
  dispute: null,
  resolution: null,
  createdAt: '2026-03-02T10:05:42.118Z',
  updatedAt: '2026-03-02T10:05:42.118Z',
};

const dispute = {
  comment: 'I also confirmed the order number.',
  author: { id: 'usr_01m7ysd48genfrajf8w2k6p3nv', name: 'Maria Lopez' },
  revision: 1,
  createdAt: '2026-03-02T11:30:00.504Z',
};

const disputedReview: Json<Review> = {
  ...review,
  status: 'disputed',
  dispute,
  updatedAt: dispute.createdAt,
};

const resolution = {
  outcome: 'rejected' as const,
  comment: 'It was the customer who said the number.',
  author: reviewer,
  createdAt: '2026-03-02T14:12:09.377Z',
};

const resolvedReview: Json<Review> = {
  ...disputedReview,
  status: 'resolved',
  resolution,
  updatedAt: resolution.createdAt,
};

const reviewEntry: Json<ReviewEntry> = {
  kind: 'submitted',
  revision: 1,
  verdict: review.verdict,
  outcome: null,
  final: review.final,
  comment: review.comment,
  author: reviewer,
  createdAt: review.createdAt,
};

export const examples = {
  getReview: { responses: { 200: one('A review', review) } },
  submitReview: {
    request: {
      approve: { summary: 'The automatic scores stand', value: { verdict: 'approved' } },
      adjust: {
        summary: 'One category is scored anew',
        value: { verdict: 'adjusted', categories: { greeting: 100 }, comment: review.comment },
      },
      reject: { summary: 'No score stands', value: { verdict: 'rejected', comment: 'This is a test call.' } },
    },
    responses: {
      201: { description: 'The first review of the analysis.', ...one('The new review', review) },
      200: {
        description: 'The next revision of its review.',
        ...one('The second revision', { ...review, revision: 2 }),
      },
    },
  },
  disputeReview: {
    request: { dispute: { summary: 'Say why', value: { comment: 'I also confirmed the order number.' } } },
    responses: { 200: { description: 'Disputed.', ...one('The disputed review', disputedReview) } },
  },
  resolveReview: {
    request: {
      reject: {
        summary: 'The review stands',
        value: { outcome: 'rejected', comment: 'It was the customer who said the number.' },
      },
    },
    responses: { 200: { description: 'Resolved.', ...one('The resolved review', resolvedReview) } },
  },
  listReviewHistory: { responses: { 200: page('A submission', reviewEntry) } },
} satisfies Record<string, OperationExamples>;
