import { clsx } from 'clsx';
import { ChevronsUpDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { useMe } from '../session/me.tsx';

/** The user and organization. The menu is loaded later. */
export function AccountButton({ className, ...rest }: ComponentProps<'button'>) {
  const { user, org, role } = useMe();
  return (
    <button
      type="button"
      {...rest}
      className={clsx(
        'flex w-full items-center gap-2.5 rounded-lg border border-line px-2 py-1.5 text-left hover:bg-raised',
        className,
      )}
    >
      <span
        aria-hidden="true"
        className="grid size-8 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent-strong"
      >
        {initialsOf(user.name)}
      </span>
      <span className="min-w-0 flex-1">
        <span className="line-clamp-2 text-sm leading-tight font-medium break-words">{org.name}</span>
        <span className="block truncate text-xs text-ink-faint">
          {user.name} · {role}
        </span>
      </span>
      <ChevronsUpDown className="size-4 shrink-0 text-ink-faint" aria-hidden />
    </button>
  );
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '');
  return [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => word?.[0]?.toUpperCase() ?? '').join('');
}
