import { Link } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';

type Props = { to: '/calls' | '/profiles' | '/webhooks'; children: ReactNode };

/** Above the heading of an item: a link to its list. */
export function BackLink({ to, children }: Props) {
  return (
    <Link to={to} className="-ml-1 inline-flex items-center gap-0.5 rounded pr-1 text-xs text-ink-faint hover:text-ink">
      <ChevronLeft className="size-3.5" aria-hidden />
      {children}
    </Link>
  );
}
