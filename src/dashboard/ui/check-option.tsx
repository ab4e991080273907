import { clsx } from 'clsx';
import { useId, type ComponentProps, type ReactNode } from 'react';

type OptionProps = Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode; hint?: ReactNode };

/** A native checkbox with its label and a hint. */
export function CheckOption({ label, hint, className, ...rest }: OptionProps) {
  const noteId = `${useId()}-note`;
  return (
    <div className={clsx('grid gap-0.5', className)}>
      <label className="flex items-start gap-2 text-sm">
        <input
          {...rest}
          type="checkbox"
          {...(hint && { 'aria-describedby': noteId })}
          className="mt-0.5 size-4 shrink-0 accent-accent disabled:opacity-60"
        />
        <span>{label}</span>
      </label>
      {hint && (
        <p id={noteId} className="pl-6 text-xs text-ink-faint">
          {hint}
        </p>
      )}
    </div>
  );
}
