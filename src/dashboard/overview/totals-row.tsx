import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatClock, formatNumber, formatPercent } from '../lib/format.ts';
import { ErrorState, Skeleton } from '../ui/states.tsx';
import { Change, difference, formatSigned } from './change.tsx';
import type { OverviewQuery } from './part.tsx';
import type { Overview, PeriodName } from './search.ts';

type Tile = {
  label: string;
  value: ReactNode;
  by: number | null;
  text?: string;
  isMoreBetter?: boolean | null;
  /** Links to these calls of the period. */
  search?: { listen?: true };
};

/** The period's totals, compared with the previous period. */
export function TotalsRow({ overview, period }: { overview: OverviewQuery; period: PeriodName }) {
  const { data, isError, error, refetch } = overview;
  if (isError && !data) return <ErrorState error={error} onRetry={() => void refetch()} className="!py-8" />;
  const tiles = data ? tilesOf(data) : labels.map((label): Tile => ({ label, value: null, by: null }));
  const calls = period === '90d' ? {} : { period };
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-xl border border-line bg-line shadow-card sm:grid-cols-3 lg:grid-cols-6">
      {tiles.map(({ label, value, search, ...change }) => (
        <div key={label} className="bg-surface px-4 py-3.5 lg:px-5">
          <dt className="text-xs font-medium text-ink-faint">{label}</dt>
          <dd className="mt-1 flex min-h-8 flex-wrap items-baseline gap-x-2">
            {data ? (
              <>
                <span className="text-2xl font-semibold tracking-tight tabular-nums">
                  {search ? (
                    <Link to="/calls" search={{ ...calls, ...search }} className="hover:text-accent">
                      {value}
                    </Link>
                  ) : (
                    value
                  )}
                </span>
                {change.by !== null && <Change {...change} />}
              </>
            ) : (
              <Skeleton className="h-7 w-20" />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const labels = ['Calls', 'Average score', 'Compliance rate', 'Average length', 'Reviewed', 'Waiting for a listener'];

function tilesOf({ totals, previous }: Overview): Tile[] {
  const rate = difference(totals.complianceRate, previous.complianceRate);
  const lengthMs = difference(totals.averageDurationMs, previous.averageDurationMs);
  const calls = previous.calls === 0 ? null : (totals.calls - previous.calls) / previous.calls;
  return [
    {
      label: 'Calls',
      value: formatNumber(totals.calls),
      by: calls === null ? null : calls * 100,
      text: `${formatSigned(Math.round((calls ?? 0) * 100))}%`,
      isMoreBetter: null,
      search: {},
    },
    {
      label: 'Average score',
      value: totals.averageScore === null ? '–' : formatNumber(Math.round(totals.averageScore)),
      by: difference(totals.averageScore, previous.averageScore),
    },
    {
      label: 'Compliance rate',
      value: totals.complianceRate === null ? '–' : formatPercent(totals.complianceRate),
      by: rate === null ? null : rate * 100,
      text: `${formatSigned((rate ?? 0) * 100)} pts`,
    },
    {
      label: 'Average length',
      value: totals.averageDurationMs === null ? '–' : formatClock(totals.averageDurationMs),
      by: lengthMs === null ? null : lengthMs / 1000,
      text: formatClock(Math.abs(lengthMs ?? 0)),
      isMoreBetter: null,
    },
    {
      label: 'Reviewed',
      value: formatNumber(totals.reviewed),
      by: previous.calls === 0 ? null : totals.reviewed - previous.reviewed,
    },
    {
      label: 'Waiting for a listener',
      value: formatNumber(totals.awaitingReview),
      by: previous.calls === 0 ? null : totals.awaitingReview - previous.awaitingReview,
      isMoreBetter: false,
      search: { listen: true },
    },
  ];
}
