import { clsx } from 'clsx';
import { ArrowDown, ArrowUp, ChevronLeft, ChevronRight } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { formatNumber } from '../lib/format.ts';
import { IconButton } from './button.tsx';

type TableProps = {
  label: string;
  /** The rows are from the previous request while the new one is running. */
  isStale?: boolean;
  children: ReactNode;
};

/** Scrolls sideways if it is wider than the screen, also by keyboard. */
export function Table({ label, isStale = false, children }: TableProps) {
  return (
    <div
      className="relative overflow-x-auto focus-visible:-outline-offset-2"
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <table
        aria-busy={isStale}
        className={clsx('w-full border-collapse text-left text-sm transition-opacity', isStale && 'opacity-60')}
      >
        {children}
      </table>
    </div>
  );
}

type ThProps = Omit<ComponentProps<'th'>, 'onClick'> & {
  /** The current sort direction of this column; null if sorted by another. */
  sorted?: 'asc' | 'desc' | null;
  onSort?: () => void;
};

export function Th({ sorted, onSort, className, children, ...rest }: ThProps) {
  const ariaSort = sorted ? ({ asc: 'ascending', desc: 'descending' } as const)[sorted] : undefined;
  return (
    <th
      scope="col"
      {...rest}
      aria-sort={ariaSort}
      className={clsx(
        'h-9 border-b border-line px-3 text-xs font-medium whitespace-nowrap text-ink-faint first:pl-4 last:pr-4 sm:first:pl-5 sm:last:pr-5',
        className,
      )}
    >
      {onSort ? (
        <button
          type="button"
          onClick={onSort}
          className="-mx-1 inline-flex items-center gap-1 rounded px-1 hover:text-ink"
        >
          {children}
          {sorted === 'asc' && <ArrowUp className="size-3.5" aria-hidden />}
          {sorted === 'desc' && <ArrowDown className="size-3.5" aria-hidden />}
        </button>
      ) : (
        children
      )}
    </th>
  );
}

export function Td({ className, ...rest }: ComponentProps<'td'>) {
  return (
    <td
      {...rest}
      className={clsx(
        'border-b border-line px-3 py-2.5 first:pl-4 last:pr-4 sm:first:pl-5 sm:last:pr-5 [tr:last-child>&]:border-b-0',
        className,
      )}
    />
  );
}

type PaginationProps = { page: number; pageSize: number; total: number; onPage: (page: number) => void };

export function Pagination({ page, pageSize, total, onPage }: PaginationProps) {
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(page * pageSize, total);
  if (total === 0) return null;
  return (
    <nav
      aria-label="Pages"
      className="flex items-center justify-between gap-3 border-t border-line px-4 py-2 text-xs text-ink-soft sm:px-5"
    >
      <span className="tabular-nums">
        {formatNumber(first)}–{formatNumber(last)} of {formatNumber(total)}
      </span>
      <span className="flex gap-1">
        <IconButton
          size="sm"
          label="Previous page"
          disabled={page <= 1}
          onClick={() => onPage(page - 1)}
          icon={<ChevronLeft className="size-4" aria-hidden />}
        />
        <IconButton
          size="sm"
          label="Next page"
          disabled={last >= total}
          onClick={() => onPage(page + 1)}
          icon={<ChevronRight className="size-4" aria-hidden />}
        />
      </span>
    </nav>
  );
}
