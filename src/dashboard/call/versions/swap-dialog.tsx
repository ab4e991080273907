import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../../lib/trpc.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { useCall } from '../call-context.tsx';

/** For a call whose parties were taken for each other. The new version is followed as a re-analysis is. */
export function SwapDialog({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { record } = useCall();
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
      },
    }),
  );
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      onConfirm={() => swap.mutate({ id: record.id })}
      title="Swap agent and customer?"
      description="Who was taken for the agent becomes the customer, and the call is scored anew. Swap again to go back."
      confirmLabel="Swap"
      isBusy={swap.isPending}
    />
  );
}
