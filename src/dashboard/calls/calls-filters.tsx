import { SlidersHorizontal } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/field.tsx';
import { FilterChips } from './filter-chips.tsx';
import { FilterFields } from './filter-fields.tsx';
import { ProjectSelect } from './project-select.tsx';
import { filterNames, periods, type CallsSearch, type Preset } from './search.ts';
import { SearchBox } from './search-box.tsx';

type Props = { search: CallsSearch; onChange: (part: Partial<CallsSearch>) => void };

/** The search and the two most used filters in one line; the others behind a button, and shown while active. */
export function CallsFilters({ search, onChange }: Props) {
  const fieldsId = useId();
  const [isOpen, setOpen] = useState(false);
  const count = filterNames.filter(
    (name) => name !== 'projectId' && name !== 'period' && search[name] !== undefined,
  ).length;
  const isSearching = search.q !== undefined;
  return (
    <div role="search" aria-label="Filter calls" className="border-b border-line">
      <div className="flex flex-wrap items-center gap-2 px-4 py-3 sm:px-5">
        <SearchBox value={search.q ?? ''} onChange={(q) => onChange({ q })} />
        <ProjectSelect
          value={search.projectId}
          onChange={(projectId) => onChange({ projectId })}
          className="max-sm:min-w-0 max-sm:flex-1 sm:!w-44"
        />
        {!isSearching && (
          <>
            <Select
              aria-label="Period"
              value={search.period ?? (search.from || search.to ? 'custom' : '')}
              onChange={({ target }) => {
                if (target.value === 'custom') return setOpen(true);
                onChange({ period: (target.value || undefined) as Preset | undefined, from: undefined, to: undefined });
              }}
              className="max-sm:min-w-0 max-sm:flex-1 sm:!w-36"
            >
              <option value="">Any time</option>
              {Object.entries(periods).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
              <option value="custom">Custom…</option>
            </Select>
            <Button
              aria-expanded={isOpen}
              aria-controls={fieldsId}
              icon={<SlidersHorizontal className="size-4" aria-hidden />}
              onClick={() => setOpen(!isOpen)}
            >
              <span className="max-sm:sr-only">Filters</span>
              {count > 0 && (
                <span className="rounded bg-accent-soft px-1 text-xs text-accent-strong tabular-nums">{count}</span>
              )}
            </Button>
          </>
        )}
      </div>
      {isOpen && !isSearching && <FilterFields id={fieldsId} search={search} onChange={onChange} />}
      {!isSearching && <FilterChips search={search} onChange={onChange} />}
    </div>
  );
}
