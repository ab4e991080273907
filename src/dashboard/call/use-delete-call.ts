import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { hiddenCalls } from '../calls/hidden-calls.ts';
import { useTRPC, useTRPCClient } from '../lib/trpc.ts';
import { toast } from '../ui/toast.tsx';
import { useCall } from './call-context.tsx';

/** Returns to the list, which no longer shows the call; undo opens it again. */
export function useDeleteCall(): () => void {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { record, player } = useCall();
  const { id } = record;
  return () => {
    player.pause();
    hiddenCalls.hide([id]);
    void navigate({ to: '/calls' });
    toast.undoable({
      title: 'Call deleted',
      async work() {
        await client.records.delete.mutate({ id });
        await queryClient.invalidateQueries({ queryKey: trpc.records.list.pathKey() });
        hiddenCalls.show([id]);
      },
      onUndo() {
        hiddenCalls.show([id]);
        void navigate({ to: '/calls/$id', params: { id } });
      },
    });
  };
}
