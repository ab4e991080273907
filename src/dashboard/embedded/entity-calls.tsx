import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { formatClock, formatDateTime } from '../lib/format.ts';
import type { Outputs } from '../lib/trpc.ts';
import { ComplianceBadge, ScoreBadge, StatusBadge } from '../ui/badge.tsx';

type Call = Outputs['records']['list']['data'][number];

/** Compact: two lines per call. */
export function EntityCalls({ calls }: { calls: Call[] }) {
  return (
    <ul aria-label="Calls">
      {calls.map(({ id, agentName, customerPhone, status, qualityScore, complianceStatus, duration, callAt }) => (
        <li
          key={id}
          className="relative flex items-center gap-3 border-b border-line px-4 py-2.5 last:border-0 hover:bg-raised/60"
        >
          <ScoreBadge score={qualityScore} />
          <div className="min-w-0 flex-1">
            <Link
              to="/calls/$id"
              params={{ id }}
              className="block truncate text-sm font-medium after:absolute after:inset-0"
            >
              {agentName ?? 'Unknown agent'}
            </Link>
            <p className="truncate text-xs text-ink-soft tabular-nums">
              <time dateTime={callAt.toISOString()}>{formatDateTime(callAt)}</time>
              {duration !== null && ` · ${formatClock(duration * 1000)}`}
              {customerPhone !== null && ` · ${customerPhone}`}
            </p>
          </div>
          {status === 'completed' ? (
            <ComplianceBadge status={complianceStatus} isAlone />
          ) : (
            <StatusBadge status={status} />
          )}
          <ChevronRight className="size-4 shrink-0 text-ink-faint" aria-hidden />
        </li>
      ))}
    </ul>
  );
}
