import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTRPC } from '../lib/trpc.ts';
import { toast } from '../ui/toast.tsx';
import { isUnderWay, useVersions } from './use-call-data.ts';

/** Shows the result of a version that has ended since the screen was opened. */
export function useReanalysisNews(recordId: string): void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const versions = useVersions(recordId).data?.data;
  const known = useRef<Set<string>>(null);
  useEffect(() => {
    if (!versions) return;
    const ended = versions.filter(({ status }) => !isUnderWay(status));
    const before = known.current;
    known.current = new Set(ended.map(({ id }) => id));
    const news = before === null ? [] : ended.filter(({ id }) => !before.has(id));
    if (news.length === 0) return;
    for (const { version, status, qualityScore } of news) {
      if (status === 'completed') toast.done(`Version ${version} is ready`, `Score ${qualityScore ?? 'none'}`);
      else toast.failed(`Version ${version} failed`, new Error('The earlier scores stay.'));
    }
    void queryClient.invalidateQueries({ queryKey: trpc.records.pathKey() });
    void queryClient.invalidateQueries({ queryKey: trpc.analyses.pathKey() });
  }, [versions, queryClient, trpc]);
}
