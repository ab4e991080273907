import { Outlet, useLoaderData, useRouteContext } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { lazyLater } from '../lib/lazy-later.ts';
import { MeProvider, useCan } from '../session/me.tsx';
import { NoOrganization } from './no-organization.tsx';
import { SideBar } from './side-bar.tsx';

const Uploads = lazyLater(async () => (await import('../uploads/uploads.tsx')).Uploads);
const FrameShell = lazy(async () => ({ default: (await import('../embedded/frame-shell.tsx')).FrameShell }));
const TopBar = lazyLater(async () => (await import('./top-bar.tsx')).TopBar);

/** The frame around every screen. In a CRM there is only the content. */
export function Shell() {
  const me = useLoaderData({ from: '/app' });
  const { session, settings } = useRouteContext({ from: '/app' });
  if (!('role' in me)) {
    return <NoOrganization user={me.user} confirmation={me.confirmation} session={session} />;
  }
  return (
    <MeProvider value={me}>
      {settings.frame ? (
        <Suspense fallback={null}>
          <FrameShell frame={settings.frame} />
        </Suspense>
      ) : (
        <Chrome />
      )}
      <UploadsLayer />
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
      <Suspense fallback={<div className="h-13 border-b border-line bg-surface lg:hidden" />}>
        <TopBar />
      </Suspense>
      <main id="content" tabIndex={-1} className="min-w-0 outline-none">
        <Outlet />
      </main>
    </div>
  );
}

/** Above all screens, so that uploads continue while the user navigates. */
function UploadsLayer() {
  const can = useCan();
  if (!can('records:upload')) return null;
  return (
    <Suspense fallback={null}>
      <Uploads />
    </Suspense>
  );
}
