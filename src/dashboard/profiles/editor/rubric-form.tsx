import { Plus } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Textarea } from '../../ui/field.tsx';
import { CategoryCard, newCheck } from './category-card.tsx';
import { freeKey, moveBy, newUid, removeAt, replaceAt, type DraftCategory, type DraftRule } from './draft.ts';
import { DraftField } from './draft-field.tsx';
import { useEditor } from './editor-context.tsx';
import { LanguagesField } from './languages-field.tsx';
import { RuleRow } from './rule-row.tsx';
import { NumberField, TextField } from './typed-fields.tsx';

/** The rubric as a form: name, categories with checks, compliance rules. */
export function RubricForm() {
  return (
    <div className="grid grid-cols-1 gap-5">
      <DetailsCard />
      <Categories />
      <Compliance />
    </div>
  );
}

function DetailsCard() {
  const { draft, change, isReadOnly } = useEditor();
  return (
    <Card>
      <fieldset disabled={isReadOnly} className="min-w-0 grid grid-cols-1 gap-3">
        <legend className="sr-only">About the profile</legend>
        <TextField
          label="Name"
          path="name"
          value={draft.name}
          onChange={(name) => change((now) => ({ ...now, name }))}
        />
        <DraftField label="Description" path="description" isOptional>
          {(props) => (
            <Textarea
              {...props}
              rows={2}
              className="field-sizing-content max-h-40 !min-h-14"
              value={draft.description}
              onChange={({ target }) => change((now) => ({ ...now, description: target.value }))}
            />
          )}
        </DraftField>
        <LanguagesField />
        <JudgedShareField />
      </fieldset>
    </Card>
  );
}

/** Entered in percent, stored as a share. */
function JudgedShareField() {
  const { draft, change } = useEditor();
  const { judgedShareMin = Number.NaN } = draft;
  return (
    <NumberField
      label="Judged for a score (%)"
      path="judgedShareMin"
      hint="Where less of a call’s weight can be judged, it has no score and waits for a listener."
      min={0}
      max={100}
      value={Number((judgedShareMin * 100).toFixed(4))}
      onChange={(percent) =>
        change((now) => ({ ...now, judgedShareMin: percent === undefined ? undefined : percent / 100 }))
      }
    />
  );
}

function Categories() {
  const { draft, change, isReadOnly, faults, showsAll } = useEditor();
  const { categories } = draft;
  const set = (next: (now: DraftCategory[]) => DraftCategory[]): void =>
    change((now) => ({ ...now, categories: next(now.categories) }));
  const add = (): void => {
    const key = freeKey(draft, 'category');
    const category = { uid: newUid(), key, title: 'New category', weight: 10, critical: false };
    set((now) => [...now, { ...category, checks: [newCheck(freeKey(draft, `${key}.check`))] }]);
  };
  const fault = faults.get('categories');
  return (
    <section aria-labelledby="categories">
      <h2 id="categories" className="text-sm font-semibold">
        Categories
      </h2>
      <p className="mt-0.5 mb-2 text-xs text-ink-faint">
        The score is the weighted mean of the categories, and a category that of its checks. Alt with an arrow key moves
        the focused row.
      </p>
      {showsAll && fault && <p className="mb-2 text-xs text-bad">{fault}</p>}
      <ul className="grid grid-cols-1 gap-3">
        {categories.map((category, index) => (
          <CategoryCard
            key={category.uid}
            category={category}
            index={index}
            onChange={(next) => set((now) => replaceAt(now, index, next))}
            onMove={(step) => set((now) => moveBy(now, index, step))}
            onRemove={() => set((now) => removeAt(now, index))}
          />
        ))}
      </ul>
      {!isReadOnly && (
        <Button size="sm" className="mt-3" icon={<Plus className="size-3.5" aria-hidden />} onClick={add}>
          Add a category
        </Button>
      )}
    </section>
  );
}

function Compliance() {
  const { draft, change, isReadOnly, toggle } = useEditor();
  const set = (next: (now: DraftRule[]) => DraftRule[]): void =>
    change((now) => ({ ...now, compliance: next(now.compliance) }));
  const add = (): void => {
    const uid = newUid();
    const base = {
      uid,
      key: freeKey(draft, 'compliance.rule'),
      title: 'New rule',
      severity: 'medium',
      enabled: true,
    } as const;
    set((now) => [
      ...now,
      { ...base, kind: 'phrase', role: 'agent', where: { part: 'whole' }, phrases: [], expect: 'absent' },
    ]);
    toggle(uid);
  };
  return (
    <section aria-labelledby="compliance">
      <h2 id="compliance" className="text-sm font-semibold">
        Compliance rules
      </h2>
      <p className="mt-0.5 mb-2 text-xs text-ink-faint">
        They say whether a call passed compliance, and do not change the score.
      </p>
      {draft.compliance.length > 0 && (
        <ul className="overflow-hidden rounded-xl border border-line bg-surface shadow-card">
          {draft.compliance.map((rule, index) => (
            <RuleRow
              key={rule.uid}
              rule={rule}
              index={index}
              onChange={(next) => set((now) => replaceAt(now, index, next))}
              onMove={(step) => set((now) => moveBy(now, index, step))}
              onRemove={() => set((now) => removeAt(now, index))}
            />
          ))}
        </ul>
      )}
      {!isReadOnly && (
        <Button size="sm" className="mt-3" icon={<Plus className="size-3.5" aria-hidden />} onClick={add}>
          Add a rule
        </Button>
      )}
    </section>
  );
}
