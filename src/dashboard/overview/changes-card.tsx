import { Minus, TrendingDown, TrendingUp } from 'lucide-react';
import { Nothing, Part, type OverviewQuery } from './part.tsx';
import { tellChanges, type ChangeNote } from './tell-changes.ts';

export function ChangesCard({ overview, isOwn }: { overview: OverviewQuery; isOwn: boolean }) {
  return (
    <Part overview={overview} title="What changed" description="Against the period before" lines={6} isFlush>
      {(data) => {
        const told = tellChanges(data, { isOwn });
        if (data.previous.calls === 0) {
          return <Nothing>There were no calls in the period before, so there is nothing to compare with yet.</Nothing>;
        }
        if (told.length === 0) return <Nothing>No notable changes: all figures are about the same.</Nothing>;
        return (
          <ul className="grid gap-2.5 px-4 py-3.5 sm:px-5">
            {told.map((item) => (
              <li key={item.key} className="flex items-start gap-2.5 text-sm">
                <Sign isGood={item.isGood} />
                {item.text}
              </li>
            ))}
          </ul>
        );
      }}
    </Part>
  );
}

function Sign({ isGood }: Pick<ChangeNote, 'isGood'>) {
  if (isGood === null) return <Minus className="mt-0.5 size-4 shrink-0 text-ink-faint" aria-hidden />;
  return isGood ? (
    <TrendingUp className="mt-0.5 size-4 shrink-0 text-good" aria-hidden />
  ) : (
    <TrendingDown className="mt-0.5 size-4 shrink-0 text-bad" aria-hidden />
  );
}
