import { Dialog } from '@base-ui/react/dialog';
import { Link, Outlet, useLoaderData, useRouteContext, useRouter } from '@tanstack/react-router';
import { Menu as MenuIcon, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { MeProvider, useCan } from '../session/me.tsx';
import { IconButton } from '../ui/button.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Logo } from './logo.tsx';
import { destinations } from './navigation.ts';
import { NoOrganization } from './no-organization.tsx';

/** The frame around every screen. Within a CRM it is the CRM's, so there the content stands alone. */
export function Shell() {
  const me = useLoaderData({ from: '/app' });
  const { session } = useRouteContext({ from: '/app' });
  if (me.memberships.length === 0 || !('role' in me)) return <NoOrganization user={me.user} session={session} />;
  return (
    <MeProvider value={me}>
      {session.kind === 'frame' ? (
        <main id="content">
          <Outlet />
        </main>
      ) : (
        <Chrome />
      )}
    </MeProvider>
  );
}

function Chrome() {
  return (
    <div className="lg:grid lg:grid-cols-[15rem_1fr]">
      <a
        href="#content"
        className="sr-only rounded-lg bg-accent px-3 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-60"
      >
        Skip to content
      </a>
      <aside className="sticky top-0 hidden h-dvh border-r border-line bg-surface lg:block">
        <SideBar />
      </aside>
      <TopBar />
      <main id="content" tabIndex={-1} className="min-w-0 outline-none">
        <Outlet />
      </main>
    </div>
  );
}

function SideBar() {
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
        {groups.map(({ title, items }) =>
          items.length === 0 ? null : (
            <div key={title ?? ''} className="mb-4">
              {title && <p className="px-2 pb-1 text-xs font-medium text-ink-faint">{title}</p>}
              <ul className="grid gap-0.5">
                {items.map(({ to, label, icon: Icon }) => (
                  <li key={to}>
                    <Link
                      to={to}
                      activeOptions={{ exact: to === '/', includeSearch: false }}
                      className="flex items-center gap-2.5 rounded-lg px-2 py-1.5 text-sm font-medium text-ink-soft hover:bg-raised hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent-strong"
                    >
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
      <AccountMenu />
    </div>
  );
}

/** Phones and narrow windows: the side bar opens over the screen. */
function TopBar() {
  const [isOpen, setOpen] = useState(false);
  const router = useRouter();
  useEffect(() => router.subscribe('onResolved', () => setOpen(false)), [router]);
  return (
    <header className="sticky top-0 z-30 flex h-13 items-center gap-2 border-b border-line bg-surface px-3 lg:hidden">
      <Dialog.Root open={isOpen} onOpenChange={setOpen}>
        <Dialog.Trigger
          render={<IconButton label="Open navigation" icon={<MenuIcon className="size-5" aria-hidden />} />}
        />
        <Dialog.Portal>
          <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/40" />
          <Dialog.Popup
            aria-label="Navigation"
            className="fixed inset-y-0 left-0 z-50 w-64 border-r border-line bg-surface shadow-float transition-transform data-[ending-style]:-translate-x-full data-[starting-style]:-translate-x-full"
          >
            <Dialog.Close
              render={
                <IconButton
                  label="Close navigation"
                  className="absolute top-2 right-2"
                  icon={<X className="size-5" aria-hidden />}
                />
              }
            />
            <SideBar />
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
      <span className="flex items-center gap-2 font-semibold">
        <Logo />
        Earshot
      </span>
    </header>
  );
}
