import { X } from 'lucide-react';
import { formatDay } from '../lib/format.ts';
import { complianceLabels, statusLabels } from './labels.ts';
import type { CallsSearch } from './search.ts';

type Props = { search: CallsSearch; onChange: (part: Partial<CallsSearch>) => void };
type Chip = { label: string; without: Partial<CallsSearch> };

/** Active filters other than the project and the preset period, each with a button to remove it. */
export function FilterChips({ search, onChange }: Props) {
  const chips = chipsOf(search);
  if (chips.length === 0) return null;
  const none = Object.assign({}, ...chips.map(({ without }) => without)) as Partial<CallsSearch>;
  return (
    <ul aria-label="Filters that apply" className="flex flex-wrap items-center gap-1.5 px-4 pb-3 sm:px-5">
      {chips.map(({ label, without }) => (
        <li key={label}>
          <button
            type="button"
            onClick={() => onChange(without)}
            aria-label={`Remove filter ${label}`}
            className="inline-flex h-6 items-center gap-1 rounded-md bg-accent-soft pr-1 pl-2 text-xs font-medium text-accent-strong hover:bg-raised"
          >
            {label}
            <X className="size-3.5" aria-hidden />
          </button>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <button
            type="button"
            onClick={() => onChange(none)}
            className="h-6 rounded-md px-1.5 text-xs font-medium text-ink-soft hover:bg-raised hover:text-ink"
          >
            Clear all
          </button>
        </li>
      )}
    </ul>
  );
}

function chipsOf(search: CallsSearch): Chip[] {
  const { status, listen, compliance, reviewed, agent, minScore, maxScore, period, from, to } = search;
  const chips: Chip[] = [];
  if (status) chips.push({ label: statusLabels[status], without: { status: undefined } });
  if (listen) chips.push({ label: 'Waiting for a listener', without: { listen: undefined } });
  if (compliance) {
    chips.push({
      label: `Compliance: ${complianceLabels[compliance].toLowerCase()}`,
      without: { compliance: undefined },
    });
  }
  if (reviewed !== undefined) {
    chips.push({ label: reviewed ? 'Reviewed' : 'Not reviewed', without: { reviewed: undefined } });
  }
  if (agent) chips.push({ label: `Agent: ${agent}`, without: { agent: undefined } });
  if (minScore !== undefined || maxScore !== undefined) {
    chips.push({
      label: `Score ${minScore ?? 0}–${maxScore ?? 100}`,
      without: { minScore: undefined, maxScore: undefined },
    });
  }
  if (period === undefined && (from || to)) {
    chips.push({ label: spanOf(from, to), without: { from: undefined, to: undefined } });
  }
  return chips;
}

function spanOf(from: string | undefined, to: string | undefined): string {
  if (from && to) return from === to ? formatDay(from) : `${formatDay(from)} – ${formatDay(to)}`;
  return from ? `Since ${formatDay(from)}` : `Until ${formatDay(to ?? '')}`;
}
