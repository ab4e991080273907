import { clsx } from 'clsx';
import { Badge } from '../../ui/badge.tsx';
import { useCall } from '../call-context.tsx';
import { AnswerBadge } from './answer-badge.tsx';
import { checkElementId, type NumberedCheck } from './checks.ts';
import { EvidenceList } from './evidence-list.tsx';

const keysMax = 9;

export function CheckItem({ check }: { check: NumberedCheck }) {
  const { openCheck } = useCall();
  const { key, number, title, weight, critical, answer, rationale, evidence } = check;
  return (
    <li
      id={checkElementId(key)}
      className={clsx(
        'scroll-my-4 border-b border-line px-3 py-2.5 last:border-0',
        openCheck?.key === key && 'bg-accent-soft/50',
      )}
    >
      <div className="flex items-start justify-between gap-2">
        <p className="min-w-0 text-sm font-medium">
          {number <= keysMax && (
            <kbd
              title={`Press ${number} to come here`}
              className="mr-1.5 inline-grid size-4.5 place-items-center rounded border border-line bg-raised align-text-bottom font-sans text-[0.6875rem] font-normal text-ink-soft"
            >
              {number}
            </kbd>
          )}
          {title}
        </p>
        <AnswerBadge answer={answer} />
      </div>
      <p className="mt-1 text-xs text-ink-soft">{rationale}</p>
      <p className="mt-1 flex items-center gap-2 text-xs text-ink-faint tabular-nums">
        Weight {weight}
        {critical && <Badge tone={answer === 'fail' ? 'bad' : 'neutral'}>Critical: caps the score at 49</Badge>}
      </p>
      <EvidenceList evidence={evidence} />
    </li>
  );
}
