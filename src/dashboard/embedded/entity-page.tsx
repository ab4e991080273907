import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, Navigate, useNavigate, useParams, useRouteContext, useSearch } from '@tanstack/react-router';
import { PhoneIncoming } from 'lucide-react';
import { useTRPC } from '../lib/trpc.ts';
import { useCan, useMe } from '../session/me.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, ErrorState, NoPermission, SkeletonRows } from '../ui/states.tsx';
import { Pagination } from '../ui/table.tsx';
import { EntityCalls } from './entity-calls.tsx';
import { wordOf } from './words.ts';

const pageSize = 20;
/** A call takes a little while to arrive after it ends. */
const pollMs = 15_000;

/** Calls of the deal, lead or contact that the CRM shows around the frame. A single call opens at once. */
export function EntityPage() {
  const trpc = useTRPC();
  const can = useCan();
  const { entityType, entityId } = useParams({ from: '/app/crm/$entityType/$entityId' });
  const { list = false, page = 1 } = useSearch({ from: '/app/crm/$entityType/$entityId' });
  const navigate = useNavigate({ from: '/crm/$entityType/$entityId' });
  const { frame } = useRouteContext({ from: '/app' }).settings;
  const isAllowed = can('records:read');
  // Other portals of the organization may have entities with the same ids.
  const ofPortal = frame ? { crmPortal: frame.memberId } : {};
  const input = {
    crmEntityType: entityType,
    crmEntityId: entityId,
    ...ofPortal,
    sort: 'callAt' as const,
    page,
    pageSize,
  };
  const calls = useQuery(
    trpc.records.list.queryOptions(input, {
      enabled: isAllowed,
      placeholderData: keepPreviousData,
      refetchInterval: pollMs,
    }),
  );
  const [only, ...others] = calls.data?.data ?? [];
  if (only && others.length === 0 && calls.data?.meta.total === 1 && !list) {
    return <Navigate to="/calls/$id" params={{ id: only.id }} replace />;
  }
  return (
    <Page title={`Calls of this ${wordOf(entityType)}`}>
      <Card isFlush>
        {!isAllowed && <NoPermission />}
        {isAllowed && calls.isPending && <SkeletonRows rows={4} />}
        {calls.isError && <ErrorState error={calls.error} onRetry={() => void calls.refetch()} />}
        {calls.data?.meta.total === 0 && (
          <NoCalls entityType={entityType} isBusy={calls.isFetching} onRetry={() => void calls.refetch()} />
        )}
        {calls.data && calls.data.meta.total > 0 && (
          <>
            <EntityCalls calls={calls.data.data} />
            {calls.data.meta.total > pageSize && (
              <Pagination
                {...calls.data.meta}
                onPage={(next) => void navigate({ search: (now) => ({ ...now, page: next }) })}
              />
            )}
          </>
        )}
      </Card>
    </Page>
  );
}

type NoCallsProps = { entityType: string; isBusy: boolean; onRetry: () => void };

function NoCalls({ entityType, isBusy, onRetry }: NoCallsProps) {
  const { role } = useMe();
  return (
    <Empty
      icon={<PhoneIncoming aria-hidden />}
      title={`No calls of this ${wordOf(entityType)} yet`}
      action={
        <>
          <Button isBusy={isBusy} onClick={onRetry}>
            Look again
          </Button>
          <Link to="/calls" className={buttonClass({ variant: 'ghost' })}>
            All calls
          </Link>
        </>
      }
    >
      A call shows here some minutes after it has ended, once its recording is there and it has been scored.
      {role === 'agent' && ' You see the calls that you handled yourself.'}
    </Empty>
  );
}
