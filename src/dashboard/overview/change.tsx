import { ArrowDown, ArrowUp, Minus } from 'lucide-react';
import { clsx } from 'clsx';

const signed = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });

export const formatSigned = (value: number): string => signed.format(value);

type ChangeProps = {
  /** Null if there is nothing to compare with. */
  by: number | null;
  text?: string;
  /** Whether more is better; null if neither. */
  isMoreBetter?: boolean | null;
  className?: string;
};

/** Compared with the previous period. The arrow shows the direction, the colour whether that is good. */
export function Change({ by, text, isMoreBetter = true, className }: ChangeProps) {
  if (by === null) return <span className={clsx('text-xs text-ink-faint', className)}>–</span>;
  const isSame = Math.abs(by) < 0.05;
  const isGood = isMoreBetter === null || isSame ? null : by > 0 === isMoreBetter;
  const Icon = isSame ? Minus : by > 0 ? ArrowUp : ArrowDown;
  return (
    <span
      className={clsx(
        'inline-flex items-center gap-0.5 text-xs font-medium whitespace-nowrap tabular-nums',
        isGood === null ? 'text-ink-soft' : isGood ? 'text-good' : 'text-bad',
        className,
      )}
    >
      <Icon className="size-3.5" aria-hidden />
      {isSame ? 'same' : (text ?? formatSigned(by))}
    </span>
  );
}

export function difference(now: number | null, before: number | null): number | null {
  return now === null || before === null ? null : now - before;
}
