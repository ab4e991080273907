import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTRPC } from '../lib/trpc.ts';

const pollMs = 1_500;

/** A call as it is now: asked for as long as it is under way, by all that are in view in one request. */
export function useLiveCall(id: string) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const call = useQuery(
    trpc.records.get.queryOptions(
      { id },
      { refetchInterval: ({ state }) => (isUnderWay(state.data) ? pollMs : false), staleTime: pollMs },
    ),
  );
  const status = call.data?.status;
  const isSettled = status === 'completed' || status === 'failed';
  useEffect(() => {
    if (!isSettled) return;
    void queryClient.invalidateQueries({ queryKey: trpc.records.list.pathKey() });
    void queryClient.invalidateQueries({ queryKey: trpc.overview.pathKey() });
  }, [isSettled, queryClient, trpc]);
  return call;
}

export function isUnderWay(call: { status: string } | undefined): boolean {
  return call === undefined || call.status === 'pending' || call.status === 'processing';
}
