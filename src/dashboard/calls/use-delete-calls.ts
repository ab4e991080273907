import { useQueryClient } from '@tanstack/react-query';
import { forEachLimited } from '../lib/each.ts';
import { messageOf, statusOf, useTRPC, useTRPCClient } from '../lib/trpc.ts';
import { toast } from '../ui/toast.tsx';
import { hiddenCalls } from './hidden-calls.ts';

const atOnce = 4;

/** Hides calls and, unless that is undone, deletes them. */
export function useDeleteCalls(): (ids: string[]) => void {
  const client = useTRPCClient();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return (ids) => {
    hiddenCalls.hide(ids);
    toast.undoable({
      title: ids.length === 1 ? 'Call deleted' : `${ids.length} calls deleted`,
      onUndo: () => hiddenCalls.show(ids),
      async work() {
        const work = (id: string): Promise<unknown> => client.records.delete.mutate({ id });
        const failed = (await forEachLimited({ items: ids, limit: atOnce, work })).filter(
          ({ error }) => statusOf(error) !== 404,
        );
        await queryClient.invalidateQueries({ queryKey: trpc.records.list.pathKey() });
        hiddenCalls.show(ids);
        const [first] = failed;
        if (first) throw new Error(`${failed.length} of ${ids.length} stay: ${messageOf(first.error)}`);
      },
    });
  };
}
