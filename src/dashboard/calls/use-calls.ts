import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useTRPC, type Outputs } from '../lib/trpc.ts';
import { hiddenCalls } from './hidden-calls.ts';
import { toListInput, type CallsSearch } from './search.ts';
import { isUnderWay } from './use-live-call.ts';

export type Call = Outputs['records']['list']['data'][number];

export const pageSize = 25;
const pollMs = 4_000;

/** The page of calls in the address, refreshed while one of them is being processed. */
export function useCalls(search: CallsSearch) {
  const trpc = useTRPC();
  const { page = 1 } = search;
  const calls = useQuery(
    trpc.records.list.queryOptions(
      { ...toListInput(search), page, pageSize },
      {
        enabled: search.q === undefined,
        placeholderData: keepPreviousData,
        refetchInterval: ({ state }) => (state.data?.data.some(isUnderWay) ? pollMs : false),
      },
    ),
  );
  const hidden = useSyncExternalStore(hiddenCalls.subscribe, hiddenCalls.snapshot);
  const rows = calls.data?.data.filter(({ id }) => !hidden.has(id)) ?? [];
  return { calls, rows };
}
