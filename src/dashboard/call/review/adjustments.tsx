import { Field, Input, Select } from '../../ui/field.tsx';
import type { Analysis } from '../use-call-data.ts';
import { complianceLabels, wordsOf } from '../words.ts';

type Compliance = Analysis['complianceStatus'];
/** Scores as entered, by category; empty if the category does not apply. */
export type Adjusted = { categories: Record<string, string>; complianceStatus: Compliance };

type Props = {
  analysis: Analysis;
  value: Adjusted;
  onChange: (value: Adjusted) => void;
  error: string | undefined;
};

const statuses = Object.keys(complianceLabels) as NonNullable<Compliance>[];

export function Adjustments({ analysis, value, onChange, error }: Props) {
  const { automatic } = analysis;
  return (
    <div className="grid gap-2.5">
      <div className="grid gap-3 sm:grid-cols-2">
        {Object.keys(analysis.categories).map((key) => (
          <Field key={key} label={wordsOf(key)} hint={`Automatic: ${automatic.categories[key] ?? 'not applicable'}`}>
            {(control) => (
              <Input
                {...control}
                type="number"
                inputMode="numeric"
                min={0}
                max={100}
                placeholder="n/a"
                value={value.categories[key] ?? ''}
                onChange={({ target }) =>
                  onChange({ ...value, categories: { ...value.categories, [key]: target.value } })
                }
              />
            )}
          </Field>
        ))}
      </div>
      {error && (
        <p role="alert" className="text-xs text-bad">
          {error}
        </p>
      )}
      <Field
        label="Compliance"
        hint={`Automatic: ${automatic.complianceStatus ? complianceLabels[automatic.complianceStatus] : 'none'}`}
      >
        {(control) => (
          <Select
            {...control}
            value={value.complianceStatus ?? ''}
            onChange={({ target }) =>
              onChange({ ...value, complianceStatus: statuses.find((status) => status === target.value) ?? null })
            }
          >
            {statuses.map((status) => (
              <option key={status} value={status}>
                {complianceLabels[status]}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  );
}
