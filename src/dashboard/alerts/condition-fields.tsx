import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useController, useFormContext } from 'react-hook-form';
import { useTRPC } from '../lib/trpc.ts';
import { Field, Input, Select, type ControlProps } from '../ui/field.tsx';
import {
  categoryField,
  complianceStatuses,
  fieldOf,
  fields,
  inWords,
  isCategory,
  operators,
  shown,
} from './condition-words.ts';
import type { RuleForm } from './rule-form.ts';

/** "Quality score is below 50", composed of three controls. */
export function ConditionFields() {
  const { setValue, watch, formState } = useFormContext<RuleForm>();
  const condition = watch('condition');
  const errors = formState.errors.condition;
  const isStatus = condition.field === 'complianceStatus';
  const categories = useCategories(condition.field);
  const choose = (field: string): void => {
    const isNowStatus = field === 'complianceStatus';
    if (isNowStatus !== isStatus) {
      setValue('condition', { field, operator: isNowStatus ? 'eq' : 'lt', value: isNowStatus ? 'failed' : 50 });
    } else setValue('condition.field', field);
  };
  const names = Object.entries(operators).filter(([name]) => !isStatus || name === 'eq' || name === 'neq');
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-xs font-medium text-ink-soft">Fires when</legend>
      <div className="grid gap-3 sm:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)_minmax(0,1fr)]">
        <Field label="Measure" error={errors?.field?.message}>
          {(props) => (
            <Select {...props} value={condition.field} onChange={({ target }) => choose(target.value)}>
              {Object.entries(fields).map(([name, { label }]) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
              <option value="complianceStatus">Compliance</option>
              <optgroup label="Score of a category">
                {categories.map((key) => (
                  <option key={key} value={categoryField(key)}>
                    {fieldOf(categoryField(key)).label}
                  </option>
                ))}
              </optgroup>
            </Select>
          )}
        </Field>
        <Field label="Comparison" error={errors?.operator?.message}>
          {(props) => <OperatorSelect control={props} names={names} />}
        </Field>
        <ValueField key={condition.field} error={errors?.value?.message} />
      </div>
      <p className="text-xs text-ink-faint" aria-live="polite">
        {!Number.isNaN(condition.value) && `${inWords(condition)}. `}
        A call that has no such value never fires it.
      </p>
    </fieldset>
  );
}

function OperatorSelect({ control, names }: { control: ControlProps; names: [string, string][] }) {
  const { register } = useFormContext<RuleForm>();
  return (
    <Select {...control} {...register('condition.operator')}>
      {names.map(([name, label]) => (
        <option key={name} value={name}>
          {label}
        </option>
      ))}
    </Select>
  );
}

function ValueField({ error }: { error: string | undefined }) {
  const { watch } = useFormContext<RuleForm>();
  const { field } = useController<RuleForm, 'condition.value'>({ name: 'condition.value' });
  const name = watch('condition.field');
  const { unit, scale, min, max, step } = fieldOf(name);
  const [text, setText] = useState(typeof field.value === 'number' ? String(shown(field.value, scale)) : '');
  if (name === 'complianceStatus')
    return (
      <Field label="Value" error={error}>
        {(props) => (
          <Select {...props} {...field} value={String(field.value)}>
            {Object.entries(complianceStatuses).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
    );
  const change = (typed: string): void => {
    setText(typed);
    field.onChange(typed === '' ? Number.NaN : Number((Number(typed) * scale).toFixed(6)));
  };
  return (
    <Field label={unit === '' ? 'Value' : `Value (${unit})`} error={error && 'Give a number.'}>
      {(props) => (
        <Input
          {...props}
          ref={field.ref}
          type="number"
          inputMode="decimal"
          value={text}
          min={min}
          max={max}
          step={step ?? 'any'}
          onBlur={field.onBlur}
          onChange={({ target }) => change(target.value)}
          className="tabular-nums"
        />
      )}
    </Field>
  );
}

/** The categories of all profiles, each key once, plus the one that the rule has. */
function useCategories(field: string): string[] {
  const trpc = useTRPC();
  const profiles = useQuery(trpc.profiles.list.queryOptions({ pageSize: 100 }));
  const keys = profiles.data?.data.flatMap(({ categories }) => categories.map(({ key }) => key)) ?? [];
  const own = isCategory(field) ? [field.slice(categoryField('').length)] : [];
  return [...new Set([...own, ...keys])];
}
