import { Field, Input, Select, type ControlProps } from '../ui/field.tsx';
import { statusLabels } from './labels.ts';
import { CallsSearch, daysOf } from './search.ts';

type Change = (part: Partial<CallsSearch>) => void;
type Props = { id: string; search: CallsSearch; onChange: Change };

export function FilterFields({ id, search, onChange }: Props) {
  const set = (part: Record<string, unknown>): void => onChange(CallsSearch.partial().parse(part));
  const { from, to } = daysOf(search);
  const day = (name: 'from' | 'to') => (value: string) =>
    set({ from, to, period: undefined, [name]: value || undefined });
  return (
    <div id={id} className="grid grid-cols-2 gap-3 px-4 pb-3 sm:grid-cols-4 lg:grid-cols-6">
      <Field label="Status">
        {(props) => (
          <Choice {...props} value={search.status} options={statusLabels} onChange={(status) => set({ status })} />
        )}
      </Field>
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
