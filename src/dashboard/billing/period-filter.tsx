import { Input, Select } from '../ui/field.tsx';
import { presetPeriod, type Period, type Preset } from './period.ts';
import type { BillingSearch } from './search.ts';

const presets: Record<Preset, string> = {
  'this-month': 'This month',
  'last-month': 'Last month',
  'days-90': 'Last 90 days',
  year: 'Last 12 months',
};

type Props = { period: Period; onChange: (search: BillingSearch) => void };

export function PeriodFilter({ period, onChange }: Props) {
  const { from, to } = period;
  const names = Object.keys(presets) as Preset[];
  const current = names.find((name) => {
    const given = presetPeriod(name);
    return given.from === undefined ? isPresentMonth(period) : given.from === from && given.to === to;
  });
  return (
    <div role="group" aria-label="Period" className="flex flex-wrap items-center gap-2">
      <Select
        aria-label="Period"
        value={current ?? ''}
        onChange={({ target }) => onChange(presetPeriod(target.value as Preset))}
        className="sm:!w-40"
      >
        {current === undefined && <option value="">Chosen days</option>}
        {names.map((name) => (
          <option key={name} value={name}>
            {presets[name]}
          </option>
        ))}
      </Select>
      <Input
        type="date"
        aria-label="From"
        required
        value={from}
        max={to}
        onChange={({ target }) => target.value && onChange({ from: target.value, to })}
        className="max-sm:min-w-0 max-sm:flex-1 sm:!w-38"
      />
      <Input
        type="date"
        aria-label="To"
        required
        value={to}
        min={from}
        onChange={({ target }) => target.value && onChange({ from, to: target.value })}
        className="max-sm:min-w-0 max-sm:flex-1 sm:!w-38"
      />
    </div>
  );
}

function isPresentMonth({ from, to }: Period): boolean {
  const today = new Date().toISOString().slice(0, 10);
  return to === today && from === `${today.slice(0, 7)}-01`;
}
