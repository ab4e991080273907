import { clsx } from 'clsx';
import { Pencil } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { formatMoney, formatNumber } from '../lib/format.ts';
import type { Outputs } from '../lib/trpc.ts';
import { useCan } from '../session/me.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { BudgetDialog } from './budget-dialog.tsx';

type Summary = Outputs['billing']['summary'];

/** The current month at a glance. */
export function BudgetCard({ summary }: { summary: Summary }) {
  const can = useCan();
  const [isEditing, setEditing] = useState(false);
  const { totalCost, totalRecords, totalMinutes, budgetLimit, credits, period } = summary;
  return (
    <Card
      className="mb-5"
      title={`This month, ${monthOf(period)}`}
      action={
        can('billing:write') && (
          <Button size="sm" onClick={() => setEditing(true)} icon={<Pencil className="size-3.5" aria-hidden />}>
            {budgetLimit === null ? 'Set a budget' : 'Change budget'}
          </Button>
        )
      }
    >
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-4">
        <Figure label="Spent" value={formatMoney(totalCost)} />
        <Figure label="Recordings" value={formatNumber(totalRecords)} />
        <Figure label="Minutes" value={formatNumber(totalMinutes)} />
        <Figure
          label="Credits left"
          value={<span className={clsx(credits.available < 0 && 'text-bad')}>{formatMoney(credits.available)}</span>}
        />
      </dl>
      <Budget summary={summary} />
      {isEditing && <BudgetDialog summary={summary} onClose={() => setEditing(false)} />}
    </Card>
  );
}

function Figure({ label, value }: { label: string; value: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-ink-faint">{label}</dt>
      <dd className="mt-0.5 text-lg font-semibold tabular-nums">{value}</dd>
    </div>
  );
}

function Budget({ summary }: { summary: Summary }) {
  const { budgetLimit, budgetUsedPercent, totalCost } = summary;
  if (budgetLimit === null) {
    return <p className="mt-4 text-sm text-ink-soft">There is no limit: every call is processed.</p>;
  }
  const isOver = budgetUsedPercent >= 100;
  const isNear = budgetUsedPercent >= 80;
  return (
    <div className="mt-4">
      <div className="mb-1.5 flex flex-wrap justify-between gap-x-4 text-sm">
        <span>
          <span className="font-medium tabular-nums">{formatMoney(totalCost)}</span>
          <span className="text-ink-soft"> of {formatMoney(budgetLimit)}</span>
        </span>
        <span
          className={clsx('font-medium tabular-nums', isOver ? 'text-bad' : isNear ? 'text-warn' : 'text-ink-soft')}
        >
          {formatNumber(Math.round(budgetUsedPercent))} % used
        </span>
      </div>
      <div
        role="meter"
        aria-label="Budget used"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.min(100, Math.round(budgetUsedPercent))}
        className="relative h-2 overflow-hidden rounded-full bg-raised"
      >
        <div
          className={clsx('h-full rounded-full', isOver ? 'bg-bad' : isNear ? 'bg-warn' : 'bg-accent')}
          style={{ width: `${Math.min(100, budgetUsedPercent)}%` }}
        />
        <span aria-hidden className="absolute inset-y-0 left-[80%] w-px bg-line-strong" />
      </div>
      <p className="mt-1.5 text-xs text-ink-faint">
        {isOver
          ? 'The budget is used up: new calls are refused until next month, or until the owner raises it.'
          : 'At 80 and at 100 % the event budget.threshold_reached is sent; at 100 % new calls are refused.'}
      </p>
    </div>
  );
}

function monthOf(period: string): string {
  return new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric' }).format(
    new Date(`${period}-15T12:00:00`),
  );
}
