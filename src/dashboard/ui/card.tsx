import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

type CardProps = Omit<ComponentProps<'section'>, 'title'> & {
  title?: ReactNode;
  description?: ReactNode;
  action?: ReactNode;
  /** Without padding, for tables and lists that reach the edge. */
  isFlush?: boolean;
};

export function Card({ title, description, action, isFlush = false, className, children, ...rest }: CardProps) {
  const hasHead = Boolean(title || action);
  return (
    <section {...rest} className={clsx('rounded-xl border border-line bg-surface shadow-card', className)}>
      {hasHead && (
        <header className="flex items-start justify-between gap-3 px-4 pt-3.5 pb-1 sm:px-5">
          <div className="min-w-0">
            <h2 className="text-sm font-semibold">{title}</h2>
            {description && <p className="mt-0.5 text-xs text-ink-faint">{description}</p>}
          </div>
          {action}
        </header>
      )}
      <div
        className={clsx(
          !isFlush && 'px-4 py-3.5 sm:px-5',
          isFlush && (hasHead ? 'overflow-clip rounded-b-xl' : 'overflow-clip rounded-xl'),
        )}
      >
        {children}
      </div>
    </section>
  );
}
