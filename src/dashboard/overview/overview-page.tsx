import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { lazy, Suspense, useState } from 'react';
import { ProjectSelect } from '../calls/project-select.tsx';
import { useTRPC } from '../lib/trpc.ts';
import { useCan, useMe } from '../session/me.tsx';
import { Select } from '../ui/field.tsx';
import { Page } from '../ui/page.tsx';
import { NoPermission } from '../ui/states.tsx';
import { AgentsCard } from './agents-card.tsx';
import { CategoriesCard } from './categories-card.tsx';
import { ChangesCard } from './changes-card.tsx';
import { ChecksCard } from './checks-card.tsx';
import { isUnfinished, useFirstSteps } from '../first-steps/use-first-steps.ts';
import { Onboarding } from './onboarding.tsx';
import { periodDefault, periods, toInput, type OverviewSearch, type PeriodName } from './search.ts';
import { TotalsRow } from './totals-row.tsx';
import { TrendCard } from './trend-card.tsx';
import { WorstCard } from './worst-card.tsx';

const FirstSteps = lazy(async () => ({ default: (await import('../first-steps/first-steps.tsx')).FirstSteps }));

const refreshMs = 60_000;

/** How the calls of a period went, compared with the previous one. Agents see their own. */
export function OverviewPage() {
  const { org } = useMe();
  const can = useCan();
  if (!can('analyses:read')) return <NoPermission className="py-24" />;
  return <Overview key={org.id} />;
}

function Overview() {
  const search = useSearch({ from: '/app/' });
  const navigate = useNavigate({ from: '/' });
  const { role } = useMe();
  const isOwn = role === 'agent';
  const change = (part: OverviewSearch): void =>
    void navigate({ search: (now) => ({ ...now, ...part }), replace: true, resetScroll: false });
  const { overview, isNew } = useOverview(search);
  const isGuided = useIsGuided(isNew);
  return (
    <Page
      title={isOwn ? 'Your calls' : 'Overview'}
      description={
        isOwn ? 'How your own calls went, and what to look at next.' : 'How the calls went, and what to look at next.'
      }
      actions={!isGuided && <Switches search={search} onChange={change} />}
    >
      {isGuided ? (
        <Suspense fallback={null}>
          <FirstSteps />
        </Suspense>
      ) : isNew ? (
        <Onboarding />
      ) : (
        <Parts overview={overview} search={search} isOwn={isOwn} />
      )}
    </Page>
  );
}

function useOverview(search: OverviewSearch) {
  const trpc = useTRPC();
  const overview = useQuery(
    trpc.overview.get.queryOptions(toInput(search), {
      placeholderData: keepPreviousData,
      refetchInterval: refreshMs,
      trpc: { context: { alone: true } },
    }),
  );
  const isEmpty = overview.data?.totals.calls === 0 && overview.data.previous.calls === 0;
  const any = useQuery(trpc.records.list.queryOptions({ pageSize: 1 }, { enabled: isEmpty }));
  return { overview, isNew: isEmpty && any.data?.meta.total === 0 };
}

/** Whether the first steps are shown. Once they are, they stay while the first call is scored. */
function useIsGuided(isNew: boolean): boolean {
  const steps = useFirstSteps();
  const [hasBegun, setBegun] = useState(false);
  if (isNew && !hasBegun && isUnfinished(steps)) setBegun(true);
  return hasBegun && steps?.isDismissed !== true;
}

type SwitchesProps = { search: OverviewSearch; onChange: (part: OverviewSearch) => void };

function Switches({ search, onChange }: SwitchesProps) {
  return (
    <>
      <ProjectSelect
        value={search.projectId}
        onChange={(projectId) => onChange({ projectId })}
        className="max-sm:min-w-0 max-sm:flex-1 sm:!w-44"
      />
      <Select
        aria-label="Period"
        value={search.period ?? periodDefault}
        onChange={({ target }) => onChange({ period: target.value as PeriodName })}
        className="max-sm:min-w-0 max-sm:flex-1 sm:!w-36"
      >
        {Object.entries(periods).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    </>
  );
}

type PartsProps = { overview: ReturnType<typeof useOverview>['overview']; search: OverviewSearch; isOwn: boolean };

function Parts({ overview, search, isOwn }: PartsProps) {
  const part = { overview };
  return (
    <div
      aria-busy={overview.isPlaceholderData}
      className={clsx('grid grid-cols-1 gap-4 transition-opacity', overview.isPlaceholderData && 'opacity-60')}
    >
      <TotalsRow {...part} period={search.period ?? periodDefault} />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <TrendCard {...part} />
        <ChangesCard {...part} isOwn={isOwn} />
      </div>
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <WorstCard {...part} isOwn={isOwn} />
        <div className="grid grid-cols-1 gap-4">
          <CategoriesCard {...part} />
          <ChecksCard {...part} />
        </div>
      </div>
      {!isOwn && <AgentsCard {...part} />}
    </div>
  );
}
