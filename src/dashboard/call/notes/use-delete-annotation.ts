import { useQueryClient } from '@tanstack/react-query';
import { useTRPC, useTRPCClient } from '../../lib/trpc.ts';
import { toast } from '../../ui/toast.tsx';
import { pageSize, type Annotation } from './use-annotations.ts';

/** The note disappears at once, and comes back on undo. */
export function useDeleteAnnotation(): (note: Annotation) => void {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  return ({ id: annotationId, analysisId }) => {
    const queryKey = trpc.annotations.list.queryKey({ id: analysisId, pageSize });
    const before = queryClient.getQueryData(queryKey);
    const data = before?.data.filter(({ id }) => id !== annotationId);
    if (before && data) {
      queryClient.setQueryData(queryKey, { data, meta: { ...before.meta, total: data.length } });
    }
    const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: trpc.annotations.pathKey() });
    toast.undoable({
      title: 'Note deleted',
      async work() {
        await client.annotations.delete.mutate({ id: analysisId, annotationId });
        await refresh();
      },
      onUndo: () => void refresh(),
    });
  };
}
