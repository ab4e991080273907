import { clsx } from 'clsx';
import { scoreTone, type Tone } from '../ui/badge.tsx';
import { Change, difference } from './change.tsx';
import { Nothing, Part, type OverviewQuery } from './part.tsx';

const bars: Partial<Record<Tone, string>> = { good: 'bg-good', warn: 'bg-warn', bad: 'bg-bad' };

export function CategoriesCard({ overview }: { overview: OverviewQuery }) {
  return (
    <Part overview={overview} title="Categories" description="Average score, and its change" lines={5} isFlush>
      {({ categories, previous }) =>
        categories.length === 0 ? (
          <Nothing>No call of this period has been scored yet.</Nothing>
        ) : (
          <ul className="grid gap-3 px-4 py-3.5 sm:px-5">
            {categories.map(({ key, title, averageScore, previousAverageScore }) => (
              <li
                key={key}
                className={clsx(
                  'grid items-center gap-x-2 gap-y-1 text-sm',
                  previous.calls === 0
                    ? 'grid-cols-[minmax(0,1fr)_2.5rem_0]'
                    : 'grid-cols-[minmax(0,1fr)_2.5rem_4.5rem]',
                )}
              >
                <span className="truncate" title={title}>
                  {title}
                </span>
                <span className="text-right font-medium tabular-nums">
                  {averageScore === null ? '–' : Math.round(averageScore)}
                </span>
                <span className="text-right">
                  {previousAverageScore !== null && <Change by={difference(averageScore, previousAverageScore)} />}
                </span>
                <span className="col-span-3 h-1 overflow-hidden rounded-full bg-raised" aria-hidden>
                  <span
                    className={clsx('block h-full rounded-full', bars[scoreTone(averageScore)])}
                    style={{ width: `${averageScore ?? 0}%` }}
                  />
                </span>
              </li>
            ))}
          </ul>
        )
      }
    </Part>
  );
}
