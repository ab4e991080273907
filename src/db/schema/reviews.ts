import { foreignKey, integer, json, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { Dispute, Resolution } from '../../domain/reviews/schemas.ts';
import type { Scores } from '../../model/analysis.ts';
import { analyses } from './analyses.ts';
import { createdAt, orgId, updatedAt } from './columns.ts';
import { disputeOutcomes, reviewStatuses } from '../../model/review.ts';

const verdicts = ['approved', 'adjusted', 'rejected'] as const;

/** The current review of an analysis; the resulting values are columns of the analysis. */
export const reviews = pgTable(
  'reviews',
  {
    orgId: orgId(),
    id: text('id').notNull(),
    analysisId: text('analysis_id').notNull(),
    revision: integer('revision').notNull(),
    status: text('status', { enum: reviewStatuses }).notNull(),
    verdict: text('verdict', { enum: verdicts }).notNull(),
    comment: text('comment'),
    reviewerId: text('reviewer_id').notNull(),
    reviewerName: text('reviewer_name').notNull(),
    dispute: jsonb('dispute').$type<Stored<Dispute>>(),
    resolution: jsonb('resolution').$type<Stored<Resolution>>(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.id] }),
    foreignKey({ columns: [t.orgId, t.analysisId], foreignColumns: [analyses.orgId, analyses.id] }).onDelete('cascade'),
    uniqueIndex('reviews_analysis').on(t.orgId, t.analysisId),
  ],
);

/** Everything that happened to a review, in order. Append-only. */
export const reviewEntries = pgTable(
  'review_entries',
  {
    orgId: orgId(),
    reviewId: text('review_id').notNull(),
    position: integer('position').notNull(),
    kind: text('kind', { enum: reviewStatuses }).notNull(),
    revision: integer('revision').notNull(),
    verdict: text('verdict', { enum: verdicts }),
    outcome: text('outcome', { enum: disputeOutcomes }),
    comment: text('comment'),
    final: json('final').$type<StoredScores>(),
    authorId: text('author_id').notNull(),
    authorName: text('author_name').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.reviewId, t.position] }),
    foreignKey({ columns: [t.orgId, t.reviewId], foreignColumns: [reviews.orgId, reviews.id] }).onDelete('cascade'),
  ],
);

/** As written; earlier releases did not store how much was judged. */
type StoredScores = Omit<Scores, Added> & Partial<Pick<Scores, Added>>;
type Added = 'judgedShare' | 'needsReviewCount';

/** In JSON, times are text. */
type Stored<T> = { [K in keyof T]: T[K] extends Date ? string : T[K] };
