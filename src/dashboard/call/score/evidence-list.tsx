import { clsx } from 'clsx';
import { Play, Quote } from 'lucide-react';
import { formatClock } from '../../lib/format.ts';
import { useCall, type Evidence } from '../call-context.tsx';

/** Each entry highlights its quote in the transcript and plays it. */
export function EvidenceList({ evidence }: { evidence: Evidence[] }) {
  const { goTo, target, hasAudio } = useCall();
  if (evidence.length === 0) return null;
  const Icon = hasAudio ? Play : Quote;
  return (
    <ul aria-label="Evidence" className="mt-1.5 grid gap-1">
      {evidence.map(({ segmentId, quote, startMs }) => {
        const isLooked = target?.segmentId === segmentId && target.quote === quote;
        return (
          <li key={`${segmentId} ${startMs} ${quote}`}>
            <button
              type="button"
              onClick={() => goTo({ segmentId, quote, startMs, isPlaying: true })}
              className={clsx(
                'flex w-full items-baseline gap-2 rounded-lg border px-2 py-1.5 text-left text-xs hover:border-accent hover:bg-accent-soft/50',
                isLooked ? 'border-accent bg-accent-soft' : 'border-line bg-canvas',
              )}
            >
              <Icon className="size-3 shrink-0 translate-y-px text-accent" aria-hidden />
              <span className="text-ink-faint tabular-nums">{formatClock(startMs)}</span>
              <q className="min-w-0 flex-1 break-words">{quote}</q>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
