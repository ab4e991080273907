import { useQuery } from '@tanstack/react-query';
import { Plus, Unplug } from 'lucide-react';
import { useState } from 'react';
import { useTRPC } from '../lib/trpc.ts';
import { useCan } from '../session/me.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Empty, ErrorState, SkeletonRows } from '../ui/states.tsx';
import { LinkPortalDialog } from './link-portal-dialog.tsx';
import { PortalItem } from './portal-item.tsx';

/** Bitrix24 portals that send their calls here. */
export function IntegrationsTab() {
  const trpc = useTRPC();
  const can = useCan();
  const [isLinking, setLinking] = useState(false);
  const portals = useQuery(trpc.portals.list.queryOptions({ pageSize: 100 }));
  const link = can('portals:write') && (
    <Button variant="primary" size="sm" onClick={() => setLinking(true)} icon={<Plus className="size-4" aria-hidden />}>
      Link a portal
    </Button>
  );
  return (
    <Card
      title="Bitrix24"
      description="Calls of a linked portal arrive as they end, and people open them inside the CRM."
      action={link}
      isFlush
    >
      {portals.isPending && <SkeletonRows rows={2} className="h-16" />}
      {portals.isError && <ErrorState error={portals.error} onRetry={() => void portals.refetch()} />}
      {portals.data?.meta.total === 0 && (
        <Empty icon={<Unplug aria-hidden />} title="No portal is linked">
          Install the app in your Bitrix24 portal and open it there as an administrator: it shows the code that links
          the portal to this organization.
        </Empty>
      )}
      {portals.data && portals.data.data.length > 0 && (
        <ul className="mt-2 border-t border-line">
          {portals.data.data.map((portal) => (
            <PortalItem key={portal.id} portal={portal} />
          ))}
        </ul>
      )}
      {isLinking && <LinkPortalDialog onClose={() => setLinking(false)} />}
    </Card>
  );
}
