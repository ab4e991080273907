import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { Footprints } from 'lucide-react';
import { Suspense } from 'react';
import { lazyLater } from '../lib/lazy-later.ts';
import { useCan } from '../session/me.tsx';
import { isUnfinished, useFirstSteps } from '../first-steps/use-first-steps.ts';
import { AccountButton } from './account-button.tsx';
import { Logo } from './logo.tsx';
import { destinations } from './navigation.ts';

// Loaded after the first paint: menus are half of what it would have to wait for.
const AccountMenu = lazyLater(async () => (await import('./account-menu.tsx')).AccountMenu);

const linkClass =
  'flex items-center gap-2.5 rounded-lg px-2 py-1.5 text-sm font-medium text-ink-soft hover:bg-raised hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent-strong';

export function SideBar() {
  const can = useCan();
  const groups = destinations.map((group) => ({
    ...group,
    items: group.items.filter(({ permission }) => can(permission)),
  }));
  return (
    <div className="flex h-full flex-col gap-4 p-3">
      <Link to="/" className="flex items-center gap-2 rounded-lg px-2 pt-1 text-base font-semibold tracking-tight">
        <Logo />
        Earshot
      </Link>
      <nav aria-label="Main" className="flex-1 overflow-y-auto">
        <FirstStepsLink />
        {groups.map(({ title, items }) =>
          items.length === 0 ? null : (
            <div key={title ?? ''} className="mb-4">
              {title && <p className="px-2 pb-1 text-xs font-medium text-ink-faint">{title}</p>}
              <ul className="grid gap-0.5">
                {items.map(({ to, label, icon: Icon }) => (
                  <li key={to}>
                    <Link to={to} activeOptions={{ exact: to === '/', includeSearch: false }} className={linkClass}>
                      <Icon className="size-4" aria-hidden />
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ),
        )}
      </nav>
      <Suspense fallback={<AccountButton disabled />}>
        <AccountMenu />
      </Suspense>
    </div>
  );
}

/** Back to the first steps, until they are taken or put away. */
function FirstStepsLink() {
  const state = useFirstSteps();
  if (!state || !isUnfinished(state)) return null;
  const left = state.steps.filter((step) => step.state === 'open').length;
  return (
    <Link to="/first-steps" className={clsx(linkClass, 'mb-2')}>
      <Footprints className="size-4" aria-hidden />
      <span className="flex-1">First steps </span>
      <span className="text-xs tabular-nums">
        {left}
        <span className="sr-only"> left</span>
      </span>
    </Link>
  );
}
