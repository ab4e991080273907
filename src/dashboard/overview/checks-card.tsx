import { formatNumber, formatPercent } from '../lib/format.ts';
import { Nothing, Part, type OverviewQuery } from './part.tsx';

const checksShown = 7;

export function ChecksCard({ overview }: { overview: OverviewQuery }) {
  return (
    <Part
      overview={overview}
      title="Checks that fail most"
      description="Of the calls that each applies to"
      lines={5}
      isFlush
    >
      {({ topFailedChecks }) =>
        topFailedChecks.length === 0 ? (
          <Nothing>No check failed in this period.</Nothing>
        ) : (
          <ol className="divide-y divide-line">
            {topFailedChecks.slice(0, checksShown).map(({ key, title, failed, applicable }) => (
              <li key={key} className="flex items-center gap-3 px-4 py-2 text-sm sm:px-5">
                <span className="min-w-0 flex-1">{title}</span>
                <span className="whitespace-nowrap tabular-nums">
                  <span className="font-medium">{formatNumber(failed)}</span>
                  <span className="text-ink-faint"> of {formatNumber(applicable)}</span>
                </span>
                <span className="w-11 text-right text-xs text-ink-faint tabular-nums">
                  {formatPercent(applicable === 0 ? 0 : failed / applicable)}
                </span>
              </li>
            ))}
          </ol>
        )
      }
    </Part>
  );
}
