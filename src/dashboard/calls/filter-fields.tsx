import * as z from 'zod/mini';
import type { ComponentProps } from 'react';
import { Field, Input, Select, type ControlProps } from '../ui/field.tsx';
import { complianceLabels, statusLabels } from './labels.ts';
import { CallsSearch, daysOf } from './search.ts';

type Change = (part: Partial<CallsSearch>) => void;
type Props = { id: string; search: CallsSearch; onChange: Change };

export function FilterFields({ id, search, onChange }: Props) {
  const set = (part: Record<string, unknown>): void => onChange(z.partial(CallsSearch).parse(part));
  const { from, to } = daysOf(search);
  const day = (name: 'from' | 'to') => (value: string) =>
    set({ from, to, period: undefined, [name]: value || undefined });
  return (
    <div id={id} className="grid grid-cols-2 gap-3 px-4 pb-3 sm:px-5 *:min-w-0 sm:grid-cols-4 [&_input]:min-w-0">
      <Field label="Status">
        {(props) => (
          <Choice {...props} value={search.status} options={statusLabels} onChange={(status) => set({ status })} />
        )}
      </Field>
      <Field label="Compliance">
        {(props) => (
          <Choice
            {...props}
            value={search.compliance}
            options={complianceLabels}
            onChange={(compliance) => set({ compliance })}
          />
        )}
      </Field>
      <Field label="Review">
        {(props) => (
          <Choice
            {...props}
            value={reviewOf(search)}
            options={reviewLabels}
            onChange={(value) =>
              set({
                reviewed: value === 'reviewed' ? true : value === 'open' ? false : undefined,
                listen: value === 'listen' || undefined,
              })
            }
          />
        )}
      </Field>
      <Field label="Agent">
        {(props) => (
          <SlowInput
            {...props}
            value={search.agent ?? ''}
            placeholder="Full name"
            onChange={(agent) => set({ agent })}
          />
        )}
      </Field>
      <ScoreField
        label="Score from"
        value={search.minScore}
        onChange={(minScore) => set(inOrder({ minScore, maxScore: search.maxScore }, 'minScore'))}
      />
      <ScoreField
        label="Score to"
        value={search.maxScore}
        onChange={(maxScore) => set(inOrder({ minScore: search.minScore, maxScore }, 'maxScore'))}
      />
      <Field label="From">
        {(props) => (
          <Input
            {...props}
            type="date"
            value={from ?? ''}
            max={to}
            onChange={({ target }) => day('from')(target.value)}
          />
        )}
      </Field>
      <Field label="To">
        {(props) => (
          <Input
            {...props}
            type="date"
            value={to ?? ''}
            min={from}
            onChange={({ target }) => day('to')(target.value)}
          />
        )}
      </Field>
    </div>
  );
}

const reviewLabels = { reviewed: 'Reviewed', open: 'Not reviewed', listen: 'Waiting for a listener' };

function reviewOf({ reviewed, listen }: CallsSearch): keyof typeof reviewLabels | undefined {
  if (listen) return 'listen';
  return reviewed === undefined ? undefined : reviewed ? 'reviewed' : 'open';
}

type Range = { minScore: unknown; maxScore: unknown };

/** A bound that passes the other one replaces it. */
function inOrder(range: Range, changed: keyof Range): Range {
  const { minScore, maxScore } = range;
  if (minScore === undefined || maxScore === undefined || Number(minScore) <= Number(maxScore)) return range;
  return { minScore: range[changed], maxScore: range[changed] };
}

type ScoreFieldProps = { label: string; value: number | undefined; onChange: (value: string | undefined) => void };

function ScoreField({ label, value, onChange }: ScoreFieldProps) {
  return (
    <Field label={label}>
      {(props) => (
        <SlowInput {...props} type="number" min={0} max={100} value={String(value ?? '')} onChange={onChange} />
      )}
    </Field>
  );
}

type ChoiceProps = ControlProps & {
  value: string | undefined;
  options: Record<string, string>;
  onChange: (value: string | undefined) => void;
};

function Choice({ value, options, onChange, ...props }: ChoiceProps) {
  return (
    <Select {...props} value={value ?? ''} onChange={({ target }) => onChange(target.value || undefined)}>
      <option value="">Any</option>
      {Object.entries(options).map(([option, label]) => (
        <option key={option} value={option}>
          {label}
        </option>
      ))}
    </Select>
  );
}

type SlowInputProps = Omit<ComponentProps<'input'>, 'onChange' | 'value'> & {
  value: string;
  onChange: (value: string | undefined) => void;
};

/** Reports the text when the user has finished typing. */
function SlowInput({ value, onChange, ...props }: SlowInputProps) {
  const send = ({ value: typed }: HTMLInputElement): void => {
    if (typed.trim() !== value) onChange(typed.trim() || undefined);
  };
  return (
    <Input
      {...props}
      key={value}
      defaultValue={value}
      onBlur={({ currentTarget }) => send(currentTarget)}
      onKeyDown={({ key, currentTarget }) => key === 'Enter' && send(currentTarget)}
    />
  );
}
