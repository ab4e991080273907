import { clsx } from 'clsx';
import { Check, SlidersHorizontal, X } from 'lucide-react';
import { verdicts, type Verdict } from './labels.ts';

const choices: { verdict: Verdict; action: string; icon: typeof Check }[] = [
  { verdict: 'approved', action: 'Approve', icon: Check },
  { verdict: 'adjusted', action: 'Adjust', icon: SlidersHorizontal },
  { verdict: 'rejected', action: 'Reject', icon: X },
];

type Props = { value: Verdict; onChange: (verdict: Verdict) => void };

export function VerdictChoice({ value, onChange }: Props) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-xs font-medium text-ink-soft">Verdict</legend>
      <div className="grid grid-cols-3 gap-1.5">
        {choices.map(({ verdict, action, icon: Icon }) => (
          <label
            key={verdict}
            className={clsx(
              'flex cursor-pointer items-center justify-center gap-1.5 rounded-lg border px-2 py-2 text-sm font-medium has-focus-visible:outline-2 has-focus-visible:outline-accent',
              verdict === value ? 'border-accent bg-accent-soft text-accent-strong' : 'border-line hover:bg-raised',
            )}
          >
            <input
              type="radio"
              name="verdict"
              className="sr-only"
              checked={verdict === value}
              onChange={() => onChange(verdict)}
            />
            <Icon className="size-4" aria-hidden />
            {action}
          </label>
        ))}
      </div>
      <p className="mt-1.5 text-xs text-ink-faint">{verdicts[value].hint}</p>
    </fieldset>
  );
}
