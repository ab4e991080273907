import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

type Variant = 'primary' | 'secondary' | 'ghost' | 'danger';
type Size = 'sm' | 'md';

export type ButtonProps = ComponentProps<'button'> & {
  variant?: Variant;
  size?: Size;
  icon?: ReactNode;
  /** Keeps its width and cannot be pressed again while busy. */
  isBusy?: boolean;
};

const variants: Record<Variant, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong border-transparent shadow-card',
  secondary: 'bg-surface text-ink border-line hover:bg-raised shadow-card',
  ghost: 'bg-transparent text-ink-soft border-transparent hover:bg-raised hover:text-ink',
  danger: 'bg-surface text-bad border-line hover:bg-bad-soft shadow-card',
};
const sizes: Record<Size, string> = { sm: 'h-7 px-2.5 text-xs gap-1.5', md: 'h-9 px-3.5 text-sm gap-2' };

export function buttonClass({ variant = 'secondary', size = 'md' }: { variant?: Variant; size?: Size } = {}): string {
  return clsx(
    'inline-flex shrink-0 items-center justify-center rounded-lg border font-medium whitespace-nowrap transition-colors select-none',
    'disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55',
    variants[variant],
    sizes[size],
  );
}

export function Button({ variant, size, icon, isBusy = false, className, children, ...rest }: ButtonProps) {
  const style = buttonClass({ ...(variant && { variant }), ...(size && { size }) });
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || isBusy}
      aria-busy={isBusy || undefined}
      className={clsx(style, className)}
    >
      {isBusy ? <Spinner /> : icon}
      {children}
    </button>
  );
}

type IconButtonProps = Omit<ButtonProps, 'children'> & { label: string };

/** Square, with a label for screen readers. */
export function IconButton({ label, icon, variant = 'ghost', size = 'md', className, ...rest }: IconButtonProps) {
  return (
    <Button
      {...rest}
      variant={variant}
      size={size}
      aria-label={label}
      title={label}
      icon={icon}
      className={clsx(size === 'sm' ? 'w-7 !px-0' : 'w-9 !px-0', className)}
    />
  );
}

export function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="inline-block size-3.5 animate-spin rounded-full border-2 border-current border-t-transparent"
    />
  );
}
