import { clsx } from 'clsx';
import { annotationTypes } from './annotation-badge.tsx';
import type { Annotation } from './use-annotations.ts';

type Props = { value: Annotation['type']; onChange: (type: Annotation['type']) => void };

const types = Object.keys(annotationTypes) as Annotation['type'][];

export function TypeChoice({ value, onChange }: Props) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-xs font-medium text-ink-soft">Type</legend>
      <div className="flex flex-wrap gap-1.5">
        {types.map((type) => (
          <label
            key={type}
            className={clsx(
              'flex cursor-pointer items-center gap-1.5 rounded-lg border px-2.5 py-1.5 text-xs font-medium has-focus-visible:outline-2 has-focus-visible:outline-accent [&_svg]:size-3.5',
              type === value ? 'border-accent bg-accent-soft text-accent-strong' : 'border-line hover:bg-raised',
            )}
          >
            <input
              type="radio"
              name="annotation-type"
              className="sr-only"
              checked={type === value}
              onChange={() => onChange(type)}
            />
            {annotationTypes[type].icon}
            {annotationTypes[type].label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
