import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { formatClock, formatDateTime, formatWhen } from '../lib/format.ts';
import type { Outputs } from '../lib/trpc.ts';
import { ComplianceBadge, ScoreBadge, StatusBadge } from '../ui/badge.tsx';
import { Table, Td, Th } from '../ui/table.tsx';
import type { CallsSearch } from './search.ts';

type Call = Outputs['records']['list']['data'][number];
type Props = { calls: Call[]; search: CallsSearch; onChange: (part: Partial<CallsSearch>) => void; isStale: boolean };
type Sort = NonNullable<CallsSearch['sort']>;

export function CallsTable({ calls, search, onChange, isStale }: Props) {
  const { sort = 'createdAt', order = 'desc' } = search;
  const sortable = (column: Sort) => ({
    sorted: sort === column ? order : null,
    onSort: () => onChange({ sort: column, order: sort === column && order === 'desc' ? 'asc' : 'desc' }),
  });
  return (
    <Table label="Calls" className={clsx('transition-opacity', isStale && 'opacity-60')}>
      <thead>
        <tr>
          <Th>Agent</Th>
          <Th className="hidden sm:table-cell">Customer</Th>
          <Th>Status</Th>
          <Th {...sortable('qualityScore')}>Score</Th>
          <Th className="hidden md:table-cell">Compliance</Th>
          <Th {...sortable('duration')} className="hidden sm:table-cell">
            Length
          </Th>
          <Th {...sortable('createdAt')}>Received</Th>
        </tr>
      </thead>
      <tbody>
        {calls.map((call) => (
          <CallRow key={call.id} call={call} />
        ))}
      </tbody>
    </Table>
  );
}

function CallRow({ call }: { call: Call }) {
  const { id, agentName, customerPhone, status, qualityScore, complianceStatus, duration, createdAt } = call;
  return (
    <tr className="relative hover:bg-raised/60">
      <Td className="max-w-48 truncate font-medium">
        <Link to="/calls/$id" params={{ id }} className="after:absolute after:inset-0">
          {agentName ?? 'Unknown agent'}
        </Link>
      </Td>
      <Td className="hidden whitespace-nowrap text-ink-soft tabular-nums sm:table-cell">{customerPhone ?? '–'}</Td>
      <Td>
        <StatusBadge status={status} />
      </Td>
      <Td>
        <ScoreBadge score={qualityScore} />
      </Td>
      <Td className="hidden md:table-cell">
        <ComplianceBadge status={complianceStatus} />
      </Td>
      <Td className="hidden tabular-nums sm:table-cell">{duration === null ? '–' : formatClock(duration * 1000)}</Td>
      <Td className="whitespace-nowrap text-ink-soft">
        <time dateTime={createdAt.toISOString()} title={formatDateTime(createdAt)}>
          {formatWhen(createdAt)}
        </time>
      </Td>
    </tr>
  );
}
