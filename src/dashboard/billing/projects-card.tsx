import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { formatMoney, formatNumber, formatPercent } from '../lib/format.ts';
import { useTRPC, type Outputs } from '../lib/trpc.ts';
import { useMe } from '../session/me.tsx';
import { useProjectNames } from '../team/use-project-names.ts';
import { Card } from '../ui/card.tsx';
import { ErrorState, SkeletonRows } from '../ui/states.tsx';
import { Table, Td, Th } from '../ui/table.tsx';
import type { Period } from './period.ts';

/** The period's costs by project. */
export function ProjectsCard({ period }: { period: Period }) {
  const trpc = useTRPC();
  const { org } = useMe();
  const names = useProjectNames();
  const input = { orgId: org.id, ...period, granularity: 'month', groupBy: 'project' } as const;
  const usage = useQuery(trpc.billing.usage.queryOptions(input, { placeholderData: keepPreviousData }));
  const rows = usage.data ? byProject(usage.data.items) : [];
  const total = usage.data?.totals.cost ?? 0;
  return (
    <Card title="By project" isFlush className="min-w-0">
      {usage.isPending && <SkeletonRows rows={3} />}
      {usage.isError && <ErrorState error={usage.error} onRetry={() => void usage.refetch()} />}
      {usage.data && rows.length === 0 && <p className="px-4 py-3.5 text-sm text-ink-soft sm:px-5">No usage.</p>}
      {rows.length > 0 && (
        <Table label="Usage by project">
          <thead>
            <tr>
              <Th>Project</Th>
              <Th className="text-right">Recordings</Th>
              <Th className="hidden text-right sm:table-cell">Minutes</Th>
              <Th className="text-right">Cost</Th>
              <Th className="hidden w-44 sm:table-cell">Share</Th>
            </tr>
          </thead>
          <tbody className="tabular-nums">
            {rows.map(({ projectId, records, minutes, cost }) => (
              <tr key={projectId}>
                <Td className="w-full max-w-0 truncate font-medium sm:w-auto sm:max-w-60">{names(projectId)}</Td>
                <Td className="text-right">{formatNumber(records)}</Td>
                <Td className="hidden text-right sm:table-cell">{formatNumber(minutes)}</Td>
                <Td className="text-right">{formatMoney(cost)}</Td>
                <Td className="hidden sm:table-cell">
                  <span className="flex items-center gap-2.5">
                    <span aria-hidden className="block h-1.5 flex-1 overflow-hidden rounded-full bg-raised">
                      <span
                        className="block h-full rounded-full bg-accent"
                        style={{ width: `${total > 0 ? (cost / total) * 100 : 0}%` }}
                      />
                    </span>
                    <span className="w-10 text-right text-xs text-ink-soft">
                      {formatPercent(total > 0 ? cost / total : 0)}
                    </span>
                  </span>
                </Td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  );
}

type Items = Outputs['billing']['usage']['items'];

/** A project's months summed up, the most expensive first. */
function byProject(items: Items) {
  const sums = new Map<string, { projectId: string; records: number; minutes: number; cost: number }>();
  for (const { projectId = '', records, minutes, cost } of items) {
    const sum = sums.get(projectId) ?? { projectId, records: 0, minutes: 0, cost: 0 };
    sums.set(projectId, {
      projectId,
      records: sum.records + records,
      minutes: sum.minutes + minutes,
      cost: sum.cost + cost,
    });
  }
  return [...sums.values()].toSorted((a, b) => b.cost - a.cost);
}
