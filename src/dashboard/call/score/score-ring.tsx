import { clsx } from 'clsx';
import { scoreTone, type Tone } from '../../ui/badge.tsx';

const colours: Record<Tone, string> = {
  neutral: 'text-ink-faint',
  accent: 'text-accent',
  good: 'text-good',
  warn: 'text-warn',
  bad: 'text-bad',
};
const radius = 34;
const around = 2 * Math.PI * radius;

type Props = { score: number | null; isAwaited?: boolean };

/** Quality score, 0-100, as a number and a ring. */
export function ScoreRing({ score, isAwaited = false }: Props) {
  return (
    <div className="relative grid size-20 shrink-0 place-items-center">
      <svg
        viewBox="0 0 80 80"
        aria-hidden="true"
        className={clsx('absolute inset-0 -rotate-90', colours[scoreTone(score)])}
      >
        <circle cx="40" cy="40" r={radius} fill="none" strokeWidth="7" className="stroke-raised" />
        {score !== null && (
          <circle
            cx="40"
            cy="40"
            r={radius}
            fill="none"
            stroke="currentColor"
            strokeWidth="7"
            strokeLinecap="round"
            strokeDasharray={`${(score / 100) * around} ${around}`}
          />
        )}
      </svg>
      <p className="text-center">
        <span className="block text-2xl leading-none font-semibold tabular-nums">{score ?? '–'}</span>
        <span className="text-[0.6875rem] text-ink-faint">
          {score !== null ? 'of 100' : isAwaited ? 'to review' : 'no score'}
          <span className="sr-only"> quality score</span>
        </span>
      </p>
    </div>
  );
}
