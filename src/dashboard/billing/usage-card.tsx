import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChartColumn } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { formatDay, formatMoney, formatNumber } from '../lib/format.ts';
import { useTRPC, type Outputs } from '../lib/trpc.ts';
import { useMe } from '../session/me.tsx';
import { Card } from '../ui/card.tsx';
import { Empty, ErrorState, Skeleton } from '../ui/states.tsx';
import { Table, Td, Th } from '../ui/table.tsx';
import { datesOf, type Period } from './period.ts';

const UsageChart = lazy(() => import('./usage-chart.tsx').then((module) => ({ default: module.UsageChart })));

type Item = Outputs['billing']['usage']['items'][number];

/** Cost by day, or by month for long periods, as a chart and as a table. */
export function UsageCard({ period }: { period: Period }) {
  const trpc = useTRPC();
  const { org } = useMe();
  const usage = useQuery(
    trpc.billing.usage.queryOptions({ orgId: org.id, ...period }, { placeholderData: keepPreviousData }),
  );
  const totals = usage.data?.totals;
  return (
    <Card
      className="mb-5"
      title={period.granularity === 'day' ? 'Cost by day' : 'Cost by month'}
      description={
        totals
          ? `${formatMoney(totals.cost)} for ${formatNumber(totals.records)} ${totals.records === 1 ? 'recording' : 'recordings'}, ${formatNumber(totals.minutes)} ${totals.minutes === 1 ? 'minute' : 'minutes'}`
          : 'Loading'
      }
    >
      {usage.isPending && <Skeleton className="h-64" />}
      {usage.isError && <ErrorState error={usage.error} onRetry={() => void usage.refetch()} />}
      {usage.data?.items.length === 0 && (
        <Empty icon={<ChartColumn aria-hidden />} title="Nothing was processed in this period" className="h-64">
          Choose another period, or upload a call.
        </Empty>
      )}
      {usage.data && usage.data.items.length > 0 && (
        <>
          <Suspense fallback={<Skeleton className="h-64" />}>
            <UsageChart points={datesOf(period).map((date) => pointOf(date, usage.data.items))} />
          </Suspense>
          <FiguresTable items={usage.data.items} />
        </>
      )}
    </Card>
  );
}

function pointOf(date: string, items: Item[]) {
  const item = items.find((each) => each.date === date);
  return { label: labelOf(date), transcription: item?.transcriptionCost ?? 0, analysis: item?.analysisCost ?? 0 };
}

export function labelOf(date: string): string {
  if (date.length === 10) return formatDay(date);
  return new Intl.DateTimeFormat(undefined, { month: 'short', year: '2-digit' }).format(
    new Date(`${date}-15T12:00:00`),
  );
}

function FiguresTable({ items }: { items: Item[] }) {
  return (
    <details className="mt-3 text-sm">
      <summary className="w-fit rounded text-xs font-medium text-ink-soft hover:text-ink">Show the figures</summary>
      <div className="mt-2 max-h-72 overflow-y-auto rounded-lg border border-line">
        <Table label="Usage">
          <thead>
            <tr>
              <Th>Date</Th>
              <Th className="text-right">Recordings</Th>
              <Th className="text-right">Minutes</Th>
              <Th className="text-right">Transcription</Th>
              <Th className="text-right">Analysis</Th>
              <Th className="text-right">Cost</Th>
            </tr>
          </thead>
          <tbody className="tabular-nums">
            {items.map((item) => (
              <tr key={item.date}>
                <Td className="whitespace-nowrap">{labelOf(item.date)}</Td>
                <Td className="text-right">{formatNumber(item.records)}</Td>
                <Td className="text-right">{formatNumber(item.minutes)}</Td>
                <Td className="text-right">{formatMoney(item.transcriptionCost)}</Td>
                <Td className="text-right">{formatMoney(item.analysisCost)}</Td>
                <Td className="text-right font-medium">{formatMoney(item.cost)}</Td>
              </tr>
            ))}
          </tbody>
        </Table>
      </div>
    </details>
  );
}
