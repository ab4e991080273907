import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTRPC } from '../lib/trpc.ts';
import { useCan, useMe } from '../session/me.tsx';
import { Page } from '../ui/page.tsx';
import { ErrorState, NoPermission, Skeleton } from '../ui/states.tsx';
import { BudgetCard } from './budget-card.tsx';
import { LedgerCard } from './ledger-card.tsx';
import { periodOf } from './period.ts';
import { PeriodFilter } from './period-filter.tsx';
import { PricesCard } from './prices-card.tsx';
import { ProjectsCard } from './projects-card.tsx';
import { UsageCard } from './usage-card.tsx';

/** Costs compared with the budget and the credits. */
export function BillingPage() {
  const can = useCan();
  return can('billing:read') ? (
    <Billing />
  ) : (
    <Page title="Billing">
      <NoPermission />
    </Page>
  );
}

function Billing() {
  const trpc = useTRPC();
  const { org } = useMe();
  const search = useSearch({ from: '/app/billing' });
  const navigate = useNavigate({ from: '/billing' });
  const period = periodOf(search);
  const summary = useQuery(trpc.billing.summary.queryOptions({ orgId: org.id }));
  return (
    <Page
      title="Billing"
      description="A recording is counted once, on the day (UTC) that it is processed."
      actions={<PeriodFilter period={period} onChange={(next) => void navigate({ search: next, replace: true })} />}
    >
      {summary.isPending && <Skeleton className="mb-5 h-34" />}
      {summary.isError && <ErrorState error={summary.error} onRetry={() => void summary.refetch()} />}
      {summary.data && <BudgetCard summary={summary.data} />}
      <UsageCard period={period} />
      <div className="grid grid-cols-1 gap-5 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <ProjectsCard period={period} />
        <PricesCard />
      </div>
      <LedgerCard />
    </Page>
  );
}
