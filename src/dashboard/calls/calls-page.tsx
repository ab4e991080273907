import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { PhoneCall } from 'lucide-react';
import { useTRPC } from '../lib/trpc.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, ErrorState, SkeletonRows } from '../ui/states.tsx';
import { Pagination } from '../ui/table.tsx';
import { CallsFilters } from './calls-filters.tsx';
import { CallsTable } from './calls-table.tsx';
import type { CallsSearch } from './search.ts';

const pageSize = 25;
const pollMs = 2_000;

/** All calls that the reader may see, filtered and sorted by the server. The address holds the state. */
export function CallsPage() {
  const trpc = useTRPC();
  const search = useSearch({ from: '/app/calls' });
  const navigate = useNavigate({ from: '/calls' });
  const change = (part: Partial<CallsSearch>): void => {
    void navigate({ search: (now) => ({ ...now, page: undefined, ...part }), replace: true });
  };
  const { from, to, q: _q, page = 1, ...filters } = search;
  const input = { ...filters, page, pageSize, ...(from && { from: startOf(from) }), ...(to && { to: endOf(to) }) };
  const calls = useQuery(
    trpc.records.list.queryOptions(input, {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (state.data?.data.some(isUnderWay) ? pollMs : false),
    }),
  );
  const isFiltered = Object.entries(search).some(([key, value]) => key !== 'page' && value !== undefined);
  return (
    <Page title="Calls" description="Every recording with its score. Open one to see why.">
      <Card isFlush>
        <CallsFilters search={search} onChange={change} />
        {calls.isPending && <SkeletonRows rows={10} />}
        {calls.isError && <ErrorState error={calls.error} onRetry={() => void calls.refetch()} />}
        {calls.data?.data.length === 0 && (
          <Empty
            icon={<PhoneCall aria-hidden />}
            title={isFiltered ? 'No call matches these filters' : 'No calls yet'}
            action={isFiltered && <Button onClick={() => void navigate({ search: {} })}>Clear filters</Button>}
          >
            {!isFiltered && 'Upload a recording, or send them through the API.'}
          </Empty>
        )}
        {calls.data && calls.data.data.length > 0 && (
          <>
            <CallsTable calls={calls.data.data} search={search} onChange={change} isStale={calls.isPlaceholderData} />
            <Pagination {...calls.data.meta} onPage={(next) => change({ page: next })} />
          </>
        )}
      </Card>
    </Page>
  );
}

function isUnderWay({ status }: { status: string }): boolean {
  return status === 'pending' || status === 'processing';
}

/** Days of the reader's calendar, as the instants that they begin and end at. */
function startOf(day: string): string {
  return new Date(`${day}T00:00:00`).toISOString();
}

function endOf(day: string): string {
  return new Date(`${day}T23:59:59.999`).toISOString();
}
