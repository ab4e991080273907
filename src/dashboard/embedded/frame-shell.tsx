import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import { useEffect } from 'react';
import type { Frame } from '../lib/settings.ts';
import { entityOf } from './entity.ts';
import { wordOf } from './words.ts';

/** Around every screen in a CRM: no navigation, compact, with a link back to the CRM's entity. */
export function FrameShell({ frame }: { frame: Frame }) {
  const entity = entityOf(frame);
  const { pathname } = useLocation();
  useEffect(() => {
    document.documentElement.dataset.framed = '';
  }, []);
  return (
    <>
      {entity && !pathname.startsWith('/crm/') && (
        <nav aria-label="Back" className="border-b border-line bg-surface px-4 py-1.5 sm:px-6 lg:px-8">
          <Link
            to="/crm/$entityType/$entityId"
            params={entity}
            search={{ list: true }}
            className="inline-flex items-center gap-1 rounded text-xs font-medium text-ink-soft hover:text-ink"
          >
            <ChevronLeft className="size-3.5" aria-hidden />
            Calls of this {wordOf(entity.entityType)}
          </Link>
        </nav>
      )}
      <main id="content">
        <Outlet />
      </main>
    </>
  );
}
