import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../../lib/trpc.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { useCall } from '../call-context.tsx';
import { useIsReviewed } from './replace-review.tsx';

/** For a call whose parties were confused. The new version is followed like a re-analysis. */
export function SwapDialog({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { record } = useCall();
  const isReviewed = useIsReviewed();
  const swap = useMutation(
    trpc.records.swapSpeakers.mutationOptions({
      onSuccess() {
        toast.done('The speakers are being swapped', 'Transcript and scores follow as a new version.');
        onClose();
        return queryClient.invalidateQueries({ queryKey: trpc.analyses.list.pathKey() });
      },
      onError(error) {
        toast.failed('The speakers were not swapped', error);
        onClose();
        return queryClient.invalidateQueries({ queryKey: trpc.analyses.list.pathKey() });
      },
    }),
  );
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      onConfirm={() => swap.mutate({ id: record.id, replaceReview: isReviewed })}
      title="Swap agent and customer?"
      description={
        isReviewed
          ? 'Agent and customer change places, and the call is scored again. It was reviewed: the new scores replace the reviewed ones.'
          : 'Agent and customer change places, and the call is scored again. Swap again to undo this.'
      }
      confirmLabel={isReviewed ? 'Swap and replace the review' : 'Swap'}
      isBusy={swap.isPending}
    />
  );
}
