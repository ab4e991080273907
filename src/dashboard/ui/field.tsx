import { clsx } from 'clsx';
import { useId, type ComponentProps, type ReactNode } from 'react';

const control =
  'w-full rounded-lg border border-line-strong/60 bg-surface px-3 text-sm text-ink shadow-card transition-colors hover:border-line-strong ' +
  'focus-visible:border-accent focus-visible:outline-offset-0 disabled:opacity-60 aria-invalid:border-bad';

export const inputClass = clsx(control, 'h-9');

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={clsx(inputClass, className)} />;
}

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea rows={3} {...rest} className={clsx(control, 'min-h-20 py-2', className)} />;
}

type NativeSelectProps = ComponentProps<'select'>;

/** The native one works best on phones and with screen readers. */
export function Select({ className, children, ...rest }: NativeSelectProps) {
  return (
    <select {...rest} className={clsx(inputClass, 'select-arrow appearance-none pr-8 text-ellipsis', className)}>
      {children}
    </select>
  );
}

export type ControlProps = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true };

type FieldProps = {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  isOptional?: boolean;
  className?: string;
  /** Spread the given props on the control, which connects label, hint and error with it. */
  children: (props: ControlProps) => ReactNode;
};

export function Field({ label, hint, error, isOptional = false, className, children }: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const hasNote = Boolean(error ?? hint);
  return (
    <div className={clsx('grid content-start gap-1.5', className)}>
      <label htmlFor={id} className="text-xs font-medium text-ink-soft">
        {label}
        {isOptional && <span className="font-normal text-ink-faint"> (optional)</span>}
      </label>
      {children({
        id,
        ...(hasNote && { 'aria-describedby': noteId }),
        ...(error && { 'aria-invalid': true as const }),
      })}
      {error ? (
        <p id={noteId} className="text-xs text-bad">
          {error}
        </p>
      ) : (
        hint && (
          <p id={noteId} className="text-xs text-ink-faint">
            {hint}
          </p>
        )
      )}
    </div>
  );
}
