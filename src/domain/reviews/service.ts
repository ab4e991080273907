import { isDeepStrictEqual } from 'node:util';
import { visibilityOf } from '../../auth/principal.ts';
import type { OrgTx } from '../../db/scope.ts';
import { AppError, notFound, notNow } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { toPage, type Page } from '../../lib/paging.ts';
import { requestEvaluation } from '../alerts/evaluate.ts';
import { lockRecordOf } from '../analyses/service.ts';
import { verdictOf, type Scores } from '../../model/analysis.ts';
import { authorOf, type Author } from '../author.ts';
import type { OrgContext } from '../context.ts';
import { emitEvents, newEvent } from '../events/service.ts';
import { selectRubric } from '../profiles/service.ts';
import { updateRecord } from '../records/service.ts';
import { conflictWith } from '../state-conflict.ts';
import { finalScores } from './final-scores.ts';
import * as queries from './queries.ts';
import type {
  DisputeReviewInput,
  ListReviewEntriesInput,
  ResolveReviewInput,
  Review,
  ReviewEntry,
  SubmitReviewInput,
} from './schemas.ts';

/** Throws NOT_FOUND if the actor may not see the analysis, or it was not reviewed. */
export async function getReview({ db, actor }: OrgContext, { id }: { id: string }): Promise<Review> {
  return toReview(await db.withOrg(actor.orgId, (tx) => findSubject(tx, { db, actor }, id)));
}

/** What was submitted, disputed and resolved, oldest first. */
export async function listReviewEntries(ctx: OrgContext, input: ListReviewEntriesInput): Promise<Page<ReviewEntry>> {
  const [rows, total] = await ctx.db.withOrg(ctx.actor.orgId, async (tx) => {
    const { review } = requireReview(await findSubject(tx, ctx, input.id));
    return Promise.all(queries.selectEntries(tx, review.id, input));
  });
  const keys = rows.map(({ position }) => ({ id: '', createdAt: position }));
  return toPage(rows.map(toEntry), total, input, keys);
}

/**
 * Submits the first review of an analysis, or its next revision. A disputed review stays disputed until it is resolved.
 * Throws NOT_FOUND, CONFLICT if the analysis is not completed, or is or is about to be superseded, VALIDATION_ERROR
 * (see `finalScores`).
 */
export async function submitReview(
  ctx: OrgContext,
  input: SubmitReviewInput,
): Promise<{ review: Review; isFirst: boolean }> {
  return withSubject(ctx, input.id, async (tx, subject) => {
    if (subject.status !== 'completed')
      throw conflictWith(subject.status, 'Only a completed analysis can be reviewed.');
    assertCounts(subject, 'reviewed');
    const rubric = await selectRubric(tx, subject.profile);
    const final = finalScores(input, { ...subject, rubric });
    const { review } = subject;
    const reviewId = review?.id ?? newId('review');
    const revision = (review?.revision ?? 0) + 1;
    const reviewer = authorOf(ctx.actor);
    const { verdict, comment } = input;
    const present = {
      revision,
      verdict,
      comment: comment || null,
      reviewerId: reviewer.id,
      reviewerName: reviewer.name,
    };
    const isDisputed = review?.status === 'disputed';
    const state = isDisputed ? {} : { status: 'submitted' as const, dispute: null, resolution: null };
    if (review) await queries.updateReview(tx, reviewId, { ...present, ...state });
    else await queries.insertReview(tx, { id: reviewId, analysisId: input.id, status: 'submitted', ...present });
    await Promise.all([
      queries.insertEntry(tx, {
        reviewId,
        kind: 'submitted',
        revision,
        verdict,
        comment: present.comment,
        final,
        ...signed(reviewer),
      }),
      queries.setFinalScores(tx, input.id, final),
      announce(tx, subject, { reviewId, revision, verdict, reviewer, final }),
      applyToRecord(tx, subject, { final, review: { id: reviewId, revision } }),
    ]);
    return { review: toReview(await findSubject(tx, ctx, input.id)), isFirst: !review };
  });
}

/**
 * `submitted → disputed`. Throws NOT_FOUND without a review, CONFLICT if it is disputed or resolved, or its analysis
 * superseded.
 */
export async function disputeReview(ctx: OrgContext, { id, comment }: DisputeReviewInput): Promise<Review> {
  return withSubject(ctx, id, async (tx, subject) => {
    const { review } = requireReview(subject);
    assertCounts(subject, 'disputed');
    if (review.status !== 'submitted')
      throw new AppError('CONFLICT', `A review that is ${review.status} cannot be disputed.`);
    const author = authorOf(ctx.actor);
    const { id: reviewId, revision } = review;
    const dispute = { comment, author, revision, createdAt: new Date().toISOString() };
    await queries.updateReview(tx, reviewId, { status: 'disputed', dispute });
    await queries.insertEntry(tx, { reviewId, kind: 'disputed', revision, comment, ...signed(author) });
    return toReview(await findSubject(tx, ctx, id));
  });
}

/**
 * `disputed → resolved`, also for a superseded analysis, whose dispute still needs an answer. Only a further revision
 * changes scores. Throws NOT_FOUND, or CONFLICT without a dispute.
 */
export async function resolveReview(ctx: OrgContext, { id, outcome, comment }: ResolveReviewInput): Promise<Review> {
  return withSubject(ctx, id, async (tx, subject) => {
    const { review } = requireReview(subject);
    if (review.status !== 'disputed') throw new AppError('CONFLICT', 'The review is not disputed.');
    const author = authorOf(ctx.actor);
    const { id: reviewId, revision } = review;
    const resolution = { outcome, comment, author, createdAt: new Date().toISOString() };
    await queries.updateReview(tx, reviewId, { status: 'resolved', resolution });
    await queries.insertEntry(tx, { reviewId, kind: 'resolved', revision, outcome, comment, ...signed(author) });
    return toReview(await findSubject(tx, ctx, id));
  });
}

/** Throws CONFLICT if changed scores would be visible nowhere, or be lost soon. */
function assertCounts({ current, currentId, isReanalysed }: queries.Subject, done: 'reviewed' | 'disputed'): void {
  if (!current) {
    throw new AppError(
      'CONFLICT',
      `A later analysis has taken the place of this one, which can no longer be ${done}.`,
      {
        details:
          currentId === null ? [] : [{ path: 'id', message: `The current analysis of the call is ${currentId}.` }],
      },
    );
  }
  if (isReanalysed) {
    throw notNow(`The call is being analysed again. What is current when that has ended can be ${done}.`);
  }
}

/** Applies the new scores to lists and statistics and, if they changed, to alerts. */
async function applyToRecord(
  tx: OrgTx,
  subject: queries.Subject,
  { final, review }: { final: Scores; review: { id: string; revision: number } },
): Promise<void> {
  const before = subject.reviewed ? subject.final : subject.automatic;
  const isChanged = !isDeepStrictEqual(before, final);
  if (!isChanged && subject.reviewed) return;
  await Promise.all([
    ...(isChanged ? [requestEvaluation(tx, { ...subject, scores: final, scoresBefore: before, review })] : []),
    updateRecord(tx, subject.recordId, { ...verdictOf(final), reviewed: true }),
  ]);
}

/** Excludes everything else that changes the scores of the record. */
async function withSubject<T>(
  { db, actor }: OrgContext,
  id: string,
  work: (tx: OrgTx, subject: queries.Subject) => Promise<T>,
): Promise<T> {
  return db.withOrg(actor.orgId, async (tx) => {
    if (!(await lockRecordOf(tx, id, visibilityOf(actor)))) throw notFound('Analysis');
    return work(tx, await findSubject(tx, { db, actor }, id));
  });
}

async function findSubject(tx: OrgTx, { actor }: OrgContext, id: string): Promise<queries.Subject> {
  const subject = await queries.selectSubject(tx, id, visibilityOf(actor));
  if (!subject) throw notFound('Analysis');
  return subject;
}

type Submission = { reviewId: string; revision: number; verdict: Review['verdict']; reviewer: Author; final: Scores };

async function announce(tx: OrgTx, subject: queries.Subject, submission: Submission): Promise<void> {
  const { analysisId, recordId, projectId, version, automatic } = subject;
  const { reviewId, revision, verdict, reviewer, final } = submission;
  const about = { analysisId, recordId, projectId, version, reviewId, revision, verdict, reviewerId: reviewer.id };
  const scores = { ...verdictOf(final), automatic: verdictOf(automatic) };
  await emitEvents(tx, [newEvent('analysis.reviewed', { ...about, ...scores }, `${reviewId}:${revision}`)]);
}

function requireReview(subject: queries.Subject): queries.Subject & { review: queries.ReviewRow } {
  const { review } = subject;
  if (!review) throw notFound('Review');
  return { ...subject, review };
}

function signed({ id, name }: Author): { authorId: string; authorName: string } {
  return { authorId: id, authorName: name };
}

function toReview(subject: queries.Subject): Review {
  const { review, automatic, final, analysisId, current } = requireReview(subject);
  const { id, verdict, comment, revision, status, dispute, resolution, createdAt, updatedAt } = review;
  return {
    id,
    analysisId,
    current,
    reviewer: { id: review.reviewerId, name: review.reviewerName },
    verdict,
    automatic,
    final,
    comment,
    revision,
    status,
    dispute: dispute && { ...dispute, createdAt: new Date(dispute.createdAt) },
    resolution: resolution && { ...resolution, createdAt: new Date(resolution.createdAt) },
    createdAt,
    updatedAt,
  };
}

type EntryRow = Awaited<ReturnType<typeof queries.selectEntries>[0]>[number];

function toEntry({
  kind,
  revision,
  verdict,
  outcome,
  final,
  comment,
  authorId,
  authorName,
  createdAt,
}: EntryRow): ReviewEntry {
  const author = { id: authorId, name: authorName };
  return { kind, revision, verdict, outcome, final: final && queries.wholeScores(final), comment, author, createdAt };
}
