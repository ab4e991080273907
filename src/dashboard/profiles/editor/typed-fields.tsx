import type { ComponentProps } from 'react';
import { Input } from '../../ui/field.tsx';
import { DraftField, NumberInput, type DraftFieldProps, type OptionsProps } from './draft-field.tsx';
import { OptionsSelect } from './options-select.tsx';

type FieldProps = Omit<DraftFieldProps, 'children'>;
type Controlled<Value> = FieldProps & { value: Value; onChange: (value: Value) => void };

export function TextField({ value, onChange, ...rest }: Controlled<string>) {
  return (
    <DraftField {...rest}>
      {(props) => <Input {...props} value={value} onChange={({ target }) => onChange(target.value)} />}
    </DraftField>
  );
}

/** The key in reports and addresses. */
export function KeyField({ value, onChange, ...rest }: Omit<Controlled<string>, 'label'>) {
  return (
    <DraftField {...rest} label="Key">
      {(props) => (
        <Input
          {...props}
          value={value}
          className="font-mono !text-xs"
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </DraftField>
  );
}

type NumberFieldProps = Controlled<number | undefined> & Pick<ComponentProps<'input'>, 'min' | 'max' | 'step'>;

export function NumberField({ value, onChange, min, max, step, ...rest }: NumberFieldProps) {
  return (
    <DraftField {...rest}>{(props) => <NumberInput {...props} {...{ value, onChange, min, max, step }} />}</DraftField>
  );
}

type OptionsFieldProps<Value extends string> = Controlled<Value> & Pick<OptionsProps<Value>, 'options'>;

export function OptionsField<Value extends string>({ value, options, onChange, ...rest }: OptionsFieldProps<Value>) {
  return <DraftField {...rest}>{(props) => <OptionsSelect {...props} {...{ value, options, onChange }} />}</DraftField>;
}
