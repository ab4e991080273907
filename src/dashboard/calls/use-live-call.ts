import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { useTRPC, type Outputs } from '../lib/trpc.ts';

type Call = Outputs['records']['results'][number];

const pollMs = 2_000;
/** Maximum number of calls in one answer. */
const togetherMax = 100;

/**
 * A call that is refreshed while it is being processed; null once it is gone. All visible ones are requested together:
 * one request each would use up the rate limit with a single page of calls.
 */
export function useLiveCall(id: string): { call: Call | null | undefined; isError: boolean } {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  useEffect(() => watch(id), [id]);
  const inView = useSyncExternalStore(subscribe, snapshot);
  const ids = together(inView, id);
  const calls = useQuery(
    trpc.records.results.queryOptions(
      { ids },
      {
        enabled: ids.length > 0,
        placeholderData: keepPreviousData,
        staleTime: pollMs,
        // The first one requests all of them.
        refetchInterval: ({ state }) =>
          ids[0] === id && (state.data === undefined || state.data.some(isUnderWay)) ? pollMs : false,
      },
    ),
  );
  const call = calls.data?.find((one) => one.id === id);
  const isSettled = call !== undefined && !isUnderWay(call);
  useEffect(() => {
    if (!isSettled) return;
    void queryClient.invalidateQueries({ queryKey: trpc.records.list.pathKey() });
    void queryClient.invalidateQueries({ queryKey: trpc.overview.pathKey() });
  }, [isSettled, queryClient, trpc]);
  const isGone = calls.data !== undefined && !calls.isPlaceholderData && ids.includes(id) && !call;
  return { call: isGone ? null : call, isError: calls.isError };
}

export function isUnderWay(call: { status: string } | undefined): boolean {
  return call === undefined || call.status === 'pending' || call.status === 'processing';
}

/** How many components show each call. */
const places = new Map<string, number>();
const listeners = new Set<() => void>();
let ids: readonly string[] = [];

const snapshot = (): readonly string[] => ids;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function watch(id: string): () => void {
  count(id, 1);
  return () => count(id, -1);
}

function count(id: string, change: 1 | -1): void {
  const next = (places.get(id) ?? 0) + change;
  if (next > 0) places.set(id, next);
  else places.delete(id);
  ids = [...places.keys()];
  for (const listener of listeners) listener();
}

function together(all: readonly string[], id: string): string[] {
  const at = all.indexOf(id);
  if (at < 0) return [];
  const from = at - (at % togetherMax);
  return all.slice(from, from + togetherMax);
}
