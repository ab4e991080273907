import { useNavigate, useSearch } from '@tanstack/react-router';
import { PhoneCall, Upload } from 'lucide-react';
import { useCan } from '../session/me.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, ErrorState, NoPermission, SkeletonRows } from '../ui/states.tsx';
import { Pagination } from '../ui/table.tsx';
import { requestUpload } from '../uploads/request-upload.ts';
import { BulkBar } from './bulk-bar.tsx';
import { CallsTable } from './calls-table.tsx';
import { CallsFilters } from './calls-filters.tsx';
import { ExportButton } from './export-button.tsx';
import { SavedViews } from './saved-views.tsx';
import { filterNames, type CallsSearch } from './search.ts';
import { SearchResults } from './search-results.tsx';
import { useCalls } from './use-calls.ts';
import { useSelection } from './use-selection.ts';

/** All calls that the user may see, filtered and sorted by the server. The address holds the state. */
export function CallsPage() {
  const search = useSearch({ from: '/app/calls' });
  const navigate = useNavigate({ from: '/calls' });
  const can = useCan();
  const change = (part: Partial<CallsSearch>): void => {
    void navigate({ search: (now) => ({ ...now, page: undefined, ...part }), replace: true, resetScroll: false });
  };
  const open = (next: CallsSearch): void => void navigate({ search: next });
  if (!can('records:read')) return <NoPermission className="py-24" />;
  return (
    <Page
      title="Calls"
      description="Every recording, its score, and why."
      actions={
        <>
          <SavedViews search={search} onOpen={open} />
          <ExportButton search={search} />
          {can('records:upload') && (
            <Button variant="primary" icon={<Upload className="size-4" aria-hidden />} onClick={() => requestUpload()}>
              Upload
            </Button>
          )}
        </>
      }
    >
      <Card isFlush>
        <CallsFilters search={search} onChange={change} />
        {search.q === undefined ? (
          <CallsList search={search} onChange={change} onClear={() => open({})} />
        ) : (
          <SearchResults q={search.q} projectId={search.projectId} />
        )}
      </Card>
    </Page>
  );
}

type ListProps = { search: CallsSearch; onChange: (part: Partial<CallsSearch>) => void; onClear: () => void };

function CallsList({ search, onChange, onClear }: ListProps) {
  const { calls, rows } = useCalls(search);
  const selection = useSelection(rows);
  if (calls.isPending) return <SkeletonRows rows={10} />;
  if (calls.isError) return <ErrorState error={calls.error} onRetry={() => void calls.refetch()} />;
  if (calls.data.data.length === 0) return <NoCalls search={search} onClear={onClear} />;
  return (
    <>
      <CallsTable
        calls={rows}
        search={search}
        onChange={onChange}
        isStale={calls.isPlaceholderData}
        selection={selection}
      />
      <Pagination {...calls.data.meta} onPage={(page) => onChange({ page })} />
      <BulkBar selection={selection} />
    </>
  );
}

function NoCalls({ search, onClear }: { search: CallsSearch; onClear: () => void }) {
  const can = useCan();
  const isFiltered = filterNames.some((name) => search[name] !== undefined) || (search.page ?? 1) > 1;
  if (isFiltered) {
    return (
      <Empty
        icon={<PhoneCall aria-hidden />}
        title="No call matches these filters"
        action={<Button onClick={onClear}>Clear filters</Button>}
      />
    );
  }
  return (
    <Empty
      icon={<PhoneCall aria-hidden />}
      title="No calls yet"
      action={
        can('records:upload') && (
          <Button variant="primary" onClick={() => requestUpload()}>
            Upload recordings
          </Button>
        )
      }
    >
      {can('records:upload')
        ? 'Drop recordings anywhere on this page, or send them through the API.'
        : 'They appear here as soon as somebody uploads one or a CRM sends it.'}
    </Empty>
  );
}
