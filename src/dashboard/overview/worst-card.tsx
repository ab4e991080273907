import { Link } from '@tanstack/react-router';
import { formatDateTime, formatWhen } from '../lib/format.ts';
import { ComplianceBadge, ScoreBadge } from '../ui/badge.tsx';
import { Nothing, Part, type OverviewQuery } from './part.tsx';

const callsShown = 7;

/** Where a reviewer's time is best spent. */
export function WorstCard({ overview, isOwn }: { overview: OverviewQuery; isOwn: boolean }) {
  return (
    <Part
      overview={overview}
      title={isOwn ? 'Your lowest scores' : 'Calls to review'}
      description={isOwn ? 'Of calls that nobody has reviewed' : 'The lowest scores that nobody has reviewed'}
      lines={8}
      isFlush
    >
      {({ worst }) =>
        worst.length === 0 ? (
          <Nothing>Every scored call of this period has been reviewed.</Nothing>
        ) : (
          <ul className="divide-y divide-line">
            {worst
              .slice(0, callsShown)
              .map(({ recordId: id, agentName, score, complianceStatus, summary, callAt: at }) => {
                return (
                  <li key={id} className="relative px-4 py-2.5 hover:bg-raised/60 sm:px-5">
                    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
                      <ScoreBadge score={score} />
                      <Link
                        to="/calls/$id"
                        params={{ id }}
                        className="min-w-0 flex-1 basis-36 truncate text-sm font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
                      >
                        {agentName ?? 'Unknown agent'}
                        <time
                          dateTime={at.toISOString()}
                          title={formatDateTime(at)}
                          className="font-normal text-ink-faint"
                        >
                          {' · '}
                          {formatWhen(at)}
                        </time>
                      </Link>
                      {complianceStatus !== 'passed' && complianceStatus !== 'not_applicable' && (
                        <ComplianceBadge status={complianceStatus} isAlone />
                      )}
                    </div>
                    <p className="mt-1 line-clamp-2 text-xs text-ink-soft">{summary}</p>
                  </li>
                );
              })}
          </ul>
        )
      }
    </Part>
  );
}
