import { Plus } from 'lucide-react';
import { formatPercent } from '../../lib/format.ts';
import { ScoreBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CheckOption } from '../../ui/check-option.tsx';
import { CheckRow } from './check-row.tsx';
import { freeKey, moveBy, newUid, removeAt, replaceAt, shareOf, type DraftCategory, type DraftCheck } from './draft.ts';
import { useEditor } from './editor-context.tsx';
import { RowControls } from './row-controls.tsx';
import { KeyField, NumberField, TextField } from './typed-fields.tsx';

type Props = {
  category: DraftCategory;
  index: number;
  onChange: (category: DraftCategory) => void;
  onMove: (step: -1 | 1) => void;
  onRemove: () => void;
};

export function CategoryCard({ category, index, onChange, onMove, onRemove }: Props) {
  const { draft, faults, showsAll, isReadOnly, toggle } = useEditor();
  const path = `categories.${index}`;
  const { checks } = category;
  const setChecks = (next: DraftCheck[]): void => onChange({ ...category, checks: next });
  const add = (): void => {
    const check = newCheck(freeKey(draft, `${category.key}.check`));
    setChecks([...checks, check]);
    toggle(check.uid);
  };
  const fault = faults.get(`${path}.checks`);
  return (
    <li data-uid={category.uid} className="overflow-hidden rounded-xl border border-line bg-surface shadow-card">
      <CategoryHead category={category} index={index} onChange={onChange} onMove={onMove} onRemove={onRemove} />
      {showsAll && fault && <p className="px-4 pb-2 text-xs text-bad">{fault}</p>}
      <ul aria-label={`Checks of ${category.title}`}>
        {checks.map((check, place) => (
          <CheckRow
            key={check.uid}
            check={check}
            siblings={checks}
            index={place}
            path={`${path}.checks.${place}`}
            onChange={(next) => setChecks(replaceAt(checks, place, next))}
            onMove={(step) => setChecks(moveBy(checks, place, step))}
            onRemove={() => setChecks(removeAt(checks, place))}
          />
        ))}
      </ul>
      {!isReadOnly && (
        <div className="border-t border-line px-3 py-2">
          <Button size="sm" variant="ghost" icon={<Plus className="size-3.5" aria-hidden />} onClick={add}>
            Add a check
          </Button>
        </div>
      )}
    </li>
  );
}

function CategoryHead({ category, index, onChange, onMove, onRemove }: Props) {
  const { draft, isReadOnly, preview } = useEditor();
  const path = `categories.${index}`;
  const share = shareOf(category.weight, draft.categories);
  const score = preview?.categories[category.key];
  return (
    <div className="grid grid-cols-1 gap-2 px-4 py-3" role="group" aria-label={category.title}>
      <div className="flex items-center justify-between gap-2">
        <p className="text-xs font-medium text-ink-soft tabular-nums">
          {formatPercent(share)} of the score
          {score !== undefined && (
            <span className="ml-2">
              <ScoreBadge score={score} />
            </span>
          )}
        </p>
        <RowControls
          name={category.title}
          isFirst={index === 0}
          isLast={index === draft.categories.length - 1}
          onMove={onMove}
          onRemove={onRemove}
        />
      </div>
      <div aria-hidden="true" className="h-1 rounded-full bg-raised">
        <div className="h-full rounded-full bg-accent transition-[width]" style={{ width: `${share * 100}%` }} />
      </div>
      <fieldset disabled={isReadOnly} className="min-w-0 mt-1 grid gap-3 sm:grid-cols-[minmax(0,1fr)_6rem_11rem]">
        <legend className="sr-only">{category.title}</legend>
        <TextField
          label="Category"
          path={`${path}.title`}
          value={category.title}
          onChange={(title) => onChange({ ...category, title })}
        />
        <NumberField
          label="Weight"
          path={`${path}.weight`}
          min={0}
          value={category.weight}
          onChange={(weight = Number.NaN) => onChange({ ...category, weight })}
        />
        <KeyField path={`${path}.key`} value={category.key} onChange={(key) => onChange({ ...category, key })} />
        <CheckOption
          className="sm:col-span-3"
          label="Critical: below 50 here caps the quality score at 49"
          checked={category.critical}
          onChange={({ target }) => onChange({ ...category, critical: target.checked })}
        />
      </fieldset>
    </div>
  );
}

export function newCheck(key: string): DraftCheck {
  return {
    uid: newUid(),
    key,
    title: 'New check',
    weight: 1,
    critical: false,
    exemptions: [],
    kind: 'phrase',
    role: 'agent',
    where: { part: 'whole' },
    phrases: [],
    expect: 'present',
    elsewhere: 'fail',
  };
}
