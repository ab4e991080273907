import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { useRef } from 'react';
import { formatClock, formatDateTime, formatShare, formatWhen } from '../lib/format.ts';
import { CallScoreBadge, ComplianceBadge, StatusBadge } from '../ui/badge.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Table, Td, Th } from '../ui/table.tsx';
import { LiveStatus } from './live-status.tsx';
import type { CallsSearch } from './search.ts';
import type { Call } from './use-calls.ts';
import { useListKeys } from './use-list-keys.ts';
import { isUnderWay } from './use-live-call.ts';
import type { Selection } from './use-selection.ts';

type Props = {
  calls: Call[];
  search: CallsSearch;
  onChange: (part: Partial<CallsSearch>) => void;
  isStale: boolean;
  selection: Selection;
};
type Sort = NonNullable<CallsSearch['sort']>;

export function CallsTable({ calls, search, onChange, isStale, selection }: Props) {
  const { sort = 'callAt', order = 'desc' } = search;
  const body = useRef<HTMLTableSectionElement>(null);
  useListKeys({ container: body, onSelect: (index) => calls[index] && selection.toggle(calls[index]) });
  const sortable = (column: Sort) => ({
    sorted: sort === column ? order : null,
    onSort: () => onChange({ sort: column, order: sort === column && order === 'desc' ? 'asc' : 'desc' }),
  });
  return (
    <Table label="Calls" isStale={isStale}>
      <thead>
        <tr>
          {selection.isOffered && (
            <Th className="w-9 !pr-0">
              <Checkbox
                label="Select all calls of this page"
                isChecked={selection.state === 'all'}
                isPartly={selection.state === 'some'}
                onChange={selection.toggleAll}
              />
            </Th>
          )}
          <Th>Agent</Th>
          <Th className="hidden xl:table-cell">Customer</Th>
          <Th>Status</Th>
          <Th {...sortable('qualityScore')}>Score</Th>
          <Th {...sortable('judgedShare')} className="hidden lg:table-cell">
            Judged
          </Th>
          <Th className="hidden md:table-cell">Compliance</Th>
          <Th {...sortable('duration')} className="hidden sm:table-cell">
            Length
          </Th>
          <Th {...sortable('callAt')} className="hidden sm:table-cell">
            Received
          </Th>
        </tr>
      </thead>
      <tbody ref={body}>
        {calls.map((call) => (
          <CallRow key={call.id} call={call} selection={selection} />
        ))}
      </tbody>
    </Table>
  );
}

function CallRow({ call, selection }: { call: Call; selection: Selection }) {
  const { id, agentName, customerPhone, status, complianceStatus, judgedShare, duration, callAt } = call;
  const isSelected = selection.has(id);
  const name = agentName ?? 'Unknown agent';
  return (
    <tr className={clsx('relative', isSelected ? 'bg-accent-soft/50' : 'hover:bg-raised/60')}>
      {selection.isOffered && (
        <Td className="w-9 !pr-0">
          <Checkbox
            label={`Select the call of ${name}, ${formatDateTime(callAt)}`}
            isChecked={isSelected}
            onChange={() => selection.toggle(call)}
            className="relative z-10"
          />
        </Td>
      )}
      <Td className="w-full max-w-0 sm:w-auto sm:max-w-44 xl:max-w-48">
        <Link
          to="/calls/$id"
          params={{ id }}
          data-row-link
          className="block truncate font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
        >
          {name}
        </Link>
        <span className="block truncate text-xs text-ink-faint tabular-nums sm:hidden">
          {formatWhen(callAt)}
          {duration !== null && ` · ${formatClock(duration * 1000)}`}
        </span>
      </Td>
      <Td className="hidden whitespace-nowrap text-ink-soft tabular-nums xl:table-cell">{customerPhone ?? '–'}</Td>
      <Td>{isUnderWay(call) ? <LiveStatus id={id} /> : <StatusBadge status={status} isTerse />}</Td>
      <Td>
        <CallScoreBadge call={call} />
      </Td>
      <Td className="hidden tabular-nums lg:table-cell">{judgedShare === null ? '–' : formatShare(judgedShare)}</Td>
      <Td className="hidden md:table-cell">
        <ComplianceBadge status={complianceStatus} />
      </Td>
      <Td className="hidden tabular-nums sm:table-cell">{duration === null ? '–' : formatClock(duration * 1000)}</Td>
      <Td className="hidden whitespace-nowrap text-ink-soft sm:table-cell">
        <time dateTime={callAt.toISOString()} title={formatDateTime(callAt)}>
          {formatWhen(callAt)}
        </time>
      </Td>
    </tr>
  );
}
