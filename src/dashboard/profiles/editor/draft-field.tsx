import { useState, type ComponentProps, type ReactNode } from 'react';
import { Field, Input, Textarea, type ControlProps } from '../../ui/field.tsx';
import { faultOfLines, useEditor } from './editor-context.tsx';

export type DraftFieldProps = {
  label: string;
  path: string;
  hint?: ReactNode;
  isOptional?: boolean;
  /** For a list with one entry per line. */
  isLines?: boolean;
  className?: string;
  children: (props: ControlProps) => ReactNode;
};

/** A field that shows its error once it was left, or saving was attempted. */
export function DraftField({ path, isLines = false, children, ...rest }: DraftFieldProps) {
  const { faults, showsAll } = useEditor();
  const [isTouched, setTouched] = useState(false);
  const fault = isLines ? faultOfLines(faults, path) : faults.get(path);
  return (
    <Field {...rest} error={isTouched || showsAll ? fault : undefined}>
      {(props) => (
        <div className="grid grid-cols-1" onBlur={() => setTouched(true)}>
          {children(props)}
        </div>
      )}
    </Field>
  );
}

type NumberInputProps = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'> & {
  value: number | undefined;
  onChange: (value: number | undefined) => void;
};

/** Keeps what is typed; empty is not a number. */
export function NumberInput({ value, onChange, className = '', ...rest }: NumberInputProps) {
  const [text, setText] = useState(value === undefined || Number.isNaN(value) ? '' : String(value));
  return (
    <Input
      step="any"
      {...rest}
      type="number"
      inputMode="decimal"
      value={text}
      className={`tabular-nums ${className}`}
      onChange={({ target }) => {
        setText(target.value);
        onChange(target.value === '' ? undefined : Number(target.value));
      }}
    />
  );
}

const rowsMax = 10;

type LinesProps = ControlProps & {
  value: readonly string[];
  onChange: (lines: string[]) => void;
  placeholder?: string;
};

/** One entry per line. */
export function LinesInput({ value, onChange, ...rest }: LinesProps) {
  const [text, setText] = useState(value.join('\n'));
  return (
    <Textarea
      {...rest}
      value={text}
      rows={Math.min(rowsMax, Math.max(2, text.split('\n').length))}
      className="!min-h-14 font-mono !text-xs"
      onChange={({ target }) => {
        setText(target.value);
        onChange(
          target.value
            .split('\n')
            .map((line) => line.trim())
            .filter((line) => line !== ''),
        );
      }}
    />
  );
}

type OptionsProps<Value extends string> = ControlProps & {
  value: Value;
  options: Partial<Record<Value, string>>;
  onChange: (value: Value) => void;
};

export function optionOf<Value extends string>(options: Partial<Record<Value, string>>, text: string): Value | null {
  const names = Object.keys(options) as Value[];
  return names.find((name) => name === text) ?? null;
}

export type { OptionsProps };
