import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTRPC, useTRPCClient } from '../lib/trpc.ts';
import { toast } from '../ui/toast.tsx';
import { useCall } from './call-context.tsx';

/** Leaves for the list at once; taken back, the call opens again. */
export function useDeleteCall(): () => void {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { record, player } = useCall();
  const { id } = record;
  return () => {
    player.pause();
    void navigate({ to: '/calls' });
    toast.undoable({
      title: 'Call deleted',
      async work() {
        await client.records.delete.mutate({ id });
        await queryClient.invalidateQueries({ queryKey: trpc.records.pathKey() });
      },
      onUndo: () => void navigate({ to: '/calls/$id', params: { id } }),
    });
  };
}
