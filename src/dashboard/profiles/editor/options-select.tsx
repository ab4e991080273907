import { Select } from '../../ui/field.tsx';
import { optionOf, type OptionsProps } from './draft-field.tsx';

/** A select of a few options with labels. */
export function OptionsSelect<Value extends string>({ value, options, onChange, ...rest }: OptionsProps<Value>) {
  return (
    <Select
      {...rest}
      value={value}
      onChange={({ target }) => {
        const chosen = optionOf(options, target.value);
        if (chosen !== null) onChange(chosen);
      }}
    >
      {Object.entries<string | undefined>(options).map(([name, label]) => (
        <option key={name} value={name}>
          {label}
        </option>
      ))}
    </Select>
  );
}
