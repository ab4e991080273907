import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { formatClock, formatDateTime } from '../lib/format.ts';
import { useCan } from '../session/me.tsx';
import { BackLink } from '../ui/back-link.tsx';
import { CallScoreBadge, ComplianceBadge, StatusBadge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { CallMenu } from './call-menu.tsx';
import { useCall } from './call-context.tsx';
import { ReanalyzeDialog } from './versions/reanalyze-dialog.tsx';
import { SwapDialog } from './versions/swap-dialog.tsx';
import { wordsOf } from './words.ts';

export function CallHeader() {
  const { record, analysis } = useCall();
  const can = useCan();
  const [isReanalyzing, setReanalyzing] = useState(false);
  const [isSwapping, setSwapping] = useState(false);
  const canReanalyze = can('analyses:reanalyze') && analysis?.status === 'completed' && !record.contentDeletedAt;
  const { agentName, customerPhone, status, complianceStatus, duration, direction } = record;
  const when = record.callAt;
  const facts = [
    formatDateTime(when),
    duration === null ? null : formatClock(duration * 1000),
    direction && wordsOf(direction),
  ].filter((fact) => fact !== null);
  return (
    <header className="flex items-start gap-2 border-b border-line bg-surface px-4 py-2.5 sm:px-6">
      <div className="min-w-0 flex-1">
        <BackLink to="/calls">Calls</BackLink>
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <h1 className="line-clamp-2 text-lg font-semibold tracking-tight break-words">
            {agentName ?? 'Unknown agent'}
            {customerPhone && (
              <span className="font-normal text-ink-soft tabular-nums">
                <span aria-hidden="true"> · </span>
                <span className="sr-only"> with </span>
                {customerPhone}
              </span>
            )}
          </h1>
          {status === 'completed' ? (
            <span className="flex flex-wrap gap-1.5">
              <CallScoreBadge call={record} />
              <ComplianceBadge status={complianceStatus} isAlone />
            </span>
          ) : (
            <StatusBadge status={status} />
          )}
        </div>
        <p className="text-xs text-ink-faint tabular-nums">{facts.join(' · ')}</p>
      </div>
      <div className="flex shrink-0 items-center gap-2 pt-3">
        {canReanalyze && (
          <Button
            className="max-sm:hidden"
            icon={<RefreshCw className="size-4" aria-hidden />}
            onClick={() => setReanalyzing(true)}
          >
            Re-analyze
          </Button>
        )}
        <CallMenu
          canReanalyze={canReanalyze}
          onReanalyze={() => setReanalyzing(true)}
          onSwap={() => setSwapping(true)}
        />
      </div>
      {isReanalyzing && <ReanalyzeDialog onClose={() => setReanalyzing(false)} />}
      {isSwapping && <SwapDialog onClose={() => setSwapping(false)} />}
    </header>
  );
}
