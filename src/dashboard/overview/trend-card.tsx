import { lazy, Suspense, useState } from 'react';
import { useIsDark } from '../app/theme.ts';
import { formatDay, formatNumber } from '../lib/format.ts';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/states.tsx';
import { Table, Td, Th } from '../ui/table.tsx';
import { Part, type OverviewQuery } from './part.tsx';
import type { Overview } from './search.ts';

const TrendChart = lazy(async () => ({ default: (await import('./trend-chart.tsx')).TrendChart }));

/** Volume and score by day, as a chart or a table. */
export function TrendCard({ overview }: { overview: OverviewQuery }) {
  const [isTable, setTable] = useState(false);
  const isDark = useIsDark();
  return (
    <Part
      overview={overview}
      title="Trend"
      description={<Legend />}
      lines={7}
      action={
        <Button size="sm" variant="ghost" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? 'Show the chart' : 'Show as table'}
        </Button>
      }
    >
      {({ days }) => (
        <div className="h-60">
          {isTable ? (
            <DaysTable days={days} />
          ) : (
            <Suspense fallback={<Skeleton className="h-full w-full" />}>
              <TrendChart key={isDark ? 'dark' : 'light'} days={days} />
            </Suspense>
          )}
        </div>
      )}
    </Part>
  );
}

function Legend() {
  return (
    <span className="flex flex-wrap items-center gap-x-3">
      <span className="inline-flex items-center gap-1.5">
        <span className="size-2.5 rounded-xs bg-accent-soft ring-1 ring-accent/40" aria-hidden /> Calls
      </span>
      <span className="inline-flex items-center gap-1.5">
        <span className="h-0.5 w-3.5 rounded bg-good" aria-hidden /> Average score
      </span>
    </span>
  );
}

function DaysTable({ days }: Pick<Overview, 'days'>) {
  return (
    <div className="h-full overflow-y-auto">
      <Table label="Calls by day">
        <thead>
          <tr>
            <Th>Day</Th>
            <Th className="text-right">Calls</Th>
            <Th className="text-right">Average score</Th>
            <Th className="text-right">Failed compliance</Th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(({ date, calls, averageScore, complianceFailed }) => (
            <tr key={date}>
              <Td>{formatDay(date)}</Td>
              <Td className="text-right tabular-nums">{formatNumber(calls)}</Td>
              <Td className="text-right tabular-nums">{averageScore === null ? '–' : Math.round(averageScore)}</Td>
              <Td className="text-right tabular-nums">{formatNumber(complianceFailed)}</Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}
