import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTRPC } from '../lib/trpc.ts';
import { toast } from '../ui/toast.tsx';
import { isUnderWay, useVersions } from './use-call-data.ts';

/** When a version that was under way is there, the screen shows what it has brought. */
export function useReanalysisNews(recordId: string): void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const versions = useVersions(recordId).data?.data;
  const running = useRef<string | null>(null);
  useEffect(() => {
    if (!versions) return;
    const ended = versions.find(({ id, status }) => id === running.current && !isUnderWay(status));
    running.current = versions.find(({ status }) => isUnderWay(status))?.id ?? null;
    if (!ended) return;
    if (ended.status === 'completed')
      toast.done(`Version ${ended.version} is there`, `Score ${ended.qualityScore ?? 'none'}`);
    else toast.failed(`Version ${ended.version} failed`, new Error('The earlier scores stay.'));
    void queryClient.invalidateQueries({ queryKey: trpc.records.pathKey() });
    void queryClient.invalidateQueries({ queryKey: trpc.analyses.pathKey() });
  }, [versions, queryClient, trpc]);
}
