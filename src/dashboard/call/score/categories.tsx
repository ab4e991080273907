import { clsx } from 'clsx';
import { ChevronDown } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ScoreBadge, scoreTone, type Tone } from '../../ui/badge.tsx';
import { useCall } from '../call-context.tsx';
import type { Analysis } from '../use-call-data.ts';
import { wordsOf } from '../words.ts';
import { CheckItem } from './check-item.tsx';
import { checkElementId, groupChecks, type CheckGroup } from './checks.ts';

const bars: Record<Tone, string> = {
  neutral: 'bg-line-strong',
  accent: 'bg-accent',
  good: 'bg-good',
  warn: 'bg-warn',
  bad: 'bg-bad',
};

/** Each category can be expanded to its checks; those that lost points are open. */
export function Categories({ analysis }: { analysis: Analysis }) {
  const { openCheck } = useCall();
  const groups = groupChecks(analysis);
  const [open, setOpen] = useState(() => {
    const called = groups.filter(({ checks }) => checks.some(({ key }) => key === openCheck?.key));
    return new Set([...groups.filter(hasLostPoints), ...called].map(({ key }) => key));
  });
  const toggle = (key: string): void => {
    setOpen((now) => {
      const next = new Set(now);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  };
  const [seen, setSeen] = useState(openCheck);
  if (seen !== openCheck) {
    setSeen(openCheck);
    const category = analysis.checks.find(({ key }) => key === openCheck?.key)?.category;
    if (category !== undefined) setOpen((now) => new Set(now).add(category));
  }
  useEffect(() => {
    if (!openCheck) return;
    const frame = requestAnimationFrame(() =>
      document.getElementById(checkElementId(openCheck.key))?.scrollIntoView({ block: 'nearest' }),
    );
    return () => cancelAnimationFrame(frame);
  }, [openCheck]);
  return (
    <div className="grid gap-2">
      {groups.map((group) => (
        <Category key={group.key} group={group} isOpen={open.has(group.key)} onToggle={() => toggle(group.key)} />
      ))}
    </div>
  );
}

type CategoryProps = { group: CheckGroup; isOpen: boolean; onToggle: () => void };

function Category({ group, isOpen, onToggle }: CategoryProps) {
  const { key, score, automatic, checks } = group;
  const passed = checks.filter(({ answer }) => answer === 'pass').length;
  const counted = checks.filter(({ score }) => score !== null).length;
  const open = checks.filter(({ answer }) => answer === 'needs_review').length;
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-surface">
      <h3>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={onToggle}
          className="flex w-full items-center gap-3 px-3 py-2.5 text-left hover:bg-raised/60 focus-visible:-outline-offset-2"
        >
          <span className="min-w-0 flex-1">
            <span className="flex flex-wrap items-baseline justify-between gap-x-2">
              <span className="text-sm font-medium">{wordsOf(key)}</span>
              <span className="text-xs text-ink-faint tabular-nums">
                {counted > 0 ? `${passed} of ${counted} passed` : open === 0 && 'not applicable'}
                {open > 0 && `${counted > 0 ? ' · ' : ''}${open} left to you`}
                {automatic !== score && ` · automatic ${automatic ?? '–'}`}
              </span>
            </span>
            <span aria-hidden="true" className="mt-1.5 block h-1.5 overflow-hidden rounded-full bg-raised">
              <span
                className={clsx('block h-full rounded-full', bars[scoreTone(score)])}
                style={{ width: `${score ?? 0}%` }}
              />
            </span>
          </span>
          <ScoreBadge score={score} />
          <ChevronDown
            className={clsx('size-4 shrink-0 text-ink-faint transition-transform', isOpen && 'rotate-180')}
            aria-hidden
          />
        </button>
      </h3>
      {isOpen && (
        <ul className="border-t border-line">
          {checks.map((check) => (
            <CheckItem key={check.key} check={check} />
          ))}
        </ul>
      )}
    </div>
  );
}

function hasLostPoints({ checks }: CheckGroup): boolean {
  return checks.some(({ answer }) => answer === 'fail' || answer === 'partial');
}
