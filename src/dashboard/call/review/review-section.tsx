import { skipToken, useQuery } from '@tanstack/react-query';
import { ClipboardCheck } from 'lucide-react';
import { useState } from 'react';
import { useTRPC } from '../../lib/trpc.ts';
import { useCan } from '../../session/me.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorState, SkeletonRows } from '../../ui/states.tsx';
import type { Analysis } from '../use-call-data.ts';
import { ReviewForm } from './review-form.tsx';
import { ReviewView } from './review-view.tsx';
import { StandingNote } from './standing-note.tsx';
import { useStanding } from './use-standing.ts';

/** A person's verdict on the automatic scores. */
export function ReviewSection({ analysis }: { analysis: Analysis }) {
  const trpc = useTRPC();
  const can = useCan();
  const [isEditing, setEditing] = useState(false);
  const standing = useStanding(analysis);
  const counts = standing === 'counts';
  const review = useQuery(trpc.reviews.get.queryOptions(analysis.reviewed ? { id: analysis.id } : skipToken));
  return (
    <section aria-label="Review">
      <h2 className="mb-2 text-sm font-semibold">Review</h2>
      {!counts && <StandingNote standing={standing} />}
      {analysis.reviewed && review.isPending && <SkeletonRows rows={3} />}
      {review.isError && <ErrorState error={review.error} onRetry={() => void review.refetch()} />}
      {!analysis.reviewed && !isEditing && (
        <NotReviewed canReview={can('reviews:submit') && counts} onReview={() => setEditing(true)} />
      )}
      {isEditing && (
        <ReviewForm
          analysis={analysis}
          review={review.data ?? null}
          counts={counts}
          onClose={() => setEditing(false)}
        />
      )}
      {!isEditing && review.data && (
        <ReviewView analysis={analysis} review={review.data} counts={counts} onRevise={() => setEditing(true)} />
      )}
    </section>
  );
}

function NotReviewed({ canReview, onReview }: { canReview: boolean; onReview: () => void }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-xl border border-line bg-surface px-3 py-3">
      <p className="text-sm text-ink-soft">
        {canReview ? 'Approve the scores, adjust them, or reject them.' : 'Nobody has reviewed these scores yet.'}
      </p>
      {canReview && (
        <Button
          variant="primary"
          size="sm"
          icon={<ClipboardCheck className="size-3.5" aria-hidden />}
          onClick={onReview}
        >
          Review
        </Button>
      )}
    </div>
  );
}
