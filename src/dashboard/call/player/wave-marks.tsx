import { clsx } from 'clsx';
import { useMemo } from 'react';
import { useCall } from '../call-context.tsx';
import type { Span } from './player.ts';

/** Silences, interruptions, redacted stretches and evidence, above the bars. All of them are also in lists. */
export function WaveMarks() {
  const { silences, interruptions, transcript, durationMs, target, segments } = useCall();
  const place = placer(durationMs);
  const evidence = useEvidenceTimes();
  const looked = target && segments.find(({ id }) => id === target.segmentId);
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-0">
      {looked && (
        <div style={place(looked)} className="absolute -inset-y-0.5 rounded bg-accent/15 ring-1 ring-accent/40" />
      )}
      {silences.map((span) => (
        <div
          key={`silence-${span.startMs}`}
          style={place(span)}
          className="absolute inset-y-1 rounded-sm bg-warn-soft/70 border border-dashed border-warn/60"
        />
      ))}
      {transcript?.redactions?.map((span) => (
        <div
          key={`redacted-${span.segmentId}-${span.startMs}`}
          style={place(span)}
          className="absolute inset-y-0 min-w-1.5 rounded-sm bg-ink/75 bg-[repeating-linear-gradient(45deg,transparent_0_3px,var(--surface)_3px_4px)]"
        />
      ))}
      {interruptions.map((span) => (
        <div
          key={`interruption-${span.startMs}`}
          style={place(span)}
          className="absolute inset-y-0 min-w-0.5 border-x border-bad bg-bad/20"
        />
      ))}
      {evidence.map(({ ms, isBad }) => (
        <div
          key={`evidence-${ms}`}
          style={{ left: `${(ms / durationMs) * 100}%` }}
          className={clsx('absolute -bottom-2 -ml-1 size-2 rotate-45 rounded-[2px]', isBad ? 'bg-bad' : 'bg-accent')}
        />
      ))}
    </div>
  );
}

/** Explains the marks that are present. */
export function WaveLegend() {
  const { silences, interruptions, transcript } = useCall();
  const evidence = useEvidenceTimes();
  const items = [
    {
      count: evidence.filter(({ isBad }) => isBad).length,
      label: 'Failed',
      mark: 'size-2 rotate-45 rounded-[2px] bg-bad',
    },
    {
      count: evidence.filter(({ isBad }) => !isBad).length,
      label: 'Other evidence',
      mark: 'size-2 rotate-45 rounded-[2px] bg-accent',
    },
    { count: interruptions.length, label: 'Interruption', mark: 'h-3 w-1.5 border-x border-bad bg-bad/20' },
    {
      count: silences.length,
      label: 'Silence',
      mark: 'h-3 w-3 rounded-sm border border-dashed border-warn bg-warn-soft',
    },
    {
      count: transcript?.redactions?.length ?? 0,
      label: 'Redacted',
      mark: 'h-3 w-3 rounded-sm bg-ink/75 bg-[repeating-linear-gradient(45deg,transparent_0_3px,var(--surface)_3px_4px)]',
    },
  ].filter(({ count }) => count > 0);
  return (
    <ul aria-label="Marked on the wave" className="hidden flex-wrap gap-x-4 gap-y-1 text-xs text-ink-faint md:flex">
      {items.map(({ label, count, mark }) => (
        <li key={label} className="flex items-center gap-1.5">
          <span aria-hidden="true" className={mark} />
          {label} <span className="tabular-nums">{count}</span>
        </li>
      ))}
    </ul>
  );
}

function useEvidenceTimes(): { ms: number; isBad: boolean }[] {
  const { analysis } = useCall();
  return useMemo(() => {
    const times = new Map<number, boolean>();
    for (const { answer, evidence } of [...(analysis?.checks ?? []), ...(analysis?.complianceFindings ?? [])]) {
      for (const { startMs } of evidence) times.set(startMs, (times.get(startMs) ?? false) || answer === 'fail');
    }
    return Array.from(times, ([ms, isBad]) => ({ ms, isBad }));
  }, [analysis]);
}

function placer(durationMs: number): (span: Span) => { left: string; width: string } {
  return ({ startMs, endMs }) => ({
    left: `${(startMs / durationMs) * 100}%`,
    width: `${((endMs - startMs) / durationMs) * 100}%`,
  });
}
