import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { MetricCheck } from '../../../model/checks.ts';
import type { Limits } from '../../../model/rubric-parts.ts';
import { Button } from '../../ui/button.tsx';
import { metrics } from '../words.ts';
import { newUid, removeAt, replaceAt } from './draft.ts';
import { useEditor } from './editor-context.tsx';
import { NumberField, OptionsField } from './typed-fields.tsx';

type Limit = MetricCheck['limits'][number];
type Props = { value: Limit[]; path: string; onChange: (limits: Limit[]) => void };

const limitsMax = 5;

/** Metrics with their limits for pass and partial; the worst answer counts. */
export function LimitFields({ value, path, onChange }: Props) {
  const [uids, setUids] = useState(() => value.map(newUid));
  const remove = (index: number): void => {
    setUids(removeAt(uids, index));
    onChange(removeAt(value, index));
  };
  const add = (): void => {
    setUids([...uids, newUid()]);
    onChange([...value, { metric: 'longestSilenceSeconds', pass: { max: 15 } }]);
  };
  return (
    <div className="grid grid-cols-1 gap-3">
      {value.map((limit, index) => (
        <LimitField
          key={uids[index]}
          limit={limit}
          path={`${path}.${index}`}
          onChange={(next) => onChange(replaceAt(value, index, next))}
          onRemove={value.length > 1 ? () => remove(index) : null}
        />
      ))}
      {value.length < limitsMax && (
        <Button size="sm" className="justify-self-start" icon={<Plus className="size-3.5" aria-hidden />} onClick={add}>
          Add a figure
        </Button>
      )}
    </div>
  );
}

type LimitProps = { limit: Limit; path: string; onChange: (limit: Limit) => void; onRemove: (() => void) | null };

function LimitField({ limit, path, onChange, onRemove }: LimitProps) {
  return (
    <div className="grid grid-cols-1 gap-3 rounded-lg border border-line p-3">
      <div className="flex items-end gap-2">
        <OptionsField
          label="Figure"
          path={`${path}.metric`}
          className="min-w-0 flex-1"
          value={limit.metric}
          options={metrics}
          onChange={(metric) => onChange({ ...limit, metric })}
        />
        {onRemove && (
          <Button size="sm" variant="ghost" onClick={onRemove} aria-label={`Remove ${metrics[limit.metric]}`}>
            Remove
          </Button>
        )}
      </div>
      <BoundFields
        legend="Passes when"
        value={limit.pass}
        path={`${path}.pass`}
        onChange={(pass) => onChange({ ...limit, pass })}
      />
      <BoundFields
        legend="Partial when"
        value={limit.partial ?? {}}
        path={`${path}.partial`}
        onChange={(partial) => onChange({ ...limit, partial: Object.keys(partial).length > 0 ? partial : undefined })}
      />
    </div>
  );
}

const bounds = { min: 'at least', above: 'more than', max: 'at most', below: 'less than' } as const;
type Bound = keyof typeof bounds;
type BoundProps = { legend: string; value: Limits; path: string; onChange: (limits: Limits) => void };

/** Each bound may be empty. */
export function BoundFields({ legend, value, path, onChange }: BoundProps) {
  const { faults, showsAll } = useEditor();
  const fault = faults.get(path);
  const set = (bound: Bound, next: number | undefined): void => {
    const { [bound]: _before, ...rest } = value;
    onChange(next === undefined ? rest : { ...rest, [bound]: next });
  };
  return (
    <fieldset>
      <legend className="mb-1 text-xs font-medium text-ink">{legend}</legend>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {(Object.keys(bounds) as Bound[]).map((bound) => (
          <NumberField
            key={bound}
            label={bounds[bound]}
            path={`${path}.${bound}`}
            value={value[bound]}
            onChange={(next) => set(bound, next)}
          />
        ))}
      </div>
      {fault && (showsAll || Object.keys(value).length > 0) && <p className="mt-1 text-xs text-bad">{fault}</p>}
    </fieldset>
  );
}
