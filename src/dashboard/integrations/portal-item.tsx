import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, Settings2, Unlink } from 'lucide-react';
import { useState } from 'react';
import { formatAgo } from '../lib/format.ts';
import { useTRPC, type Outputs } from '../lib/trpc.ts';
import { useCan } from '../session/me.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toast.tsx';
import { PortalDialog } from './portal-dialog.tsx';

export type Portal = Outputs['portals']['list']['data'][number];

export function PortalItem({ portal }: { portal: Portal }) {
  const trpc = useTRPC();
  const can = useCan();
  const [open, setOpen] = useState<'edit' | 'unlink' | null>(null);
  const projects = useQuery(trpc.projects.list.queryOptions({ pageSize: 100 }));
  const { domain, projectId, settings, suspension, reconciledAt } = portal;
  const project = projects.data?.data.find(({ id }) => id === projectId)?.name;
  const { transcript, comment } = settings.writeBack;
  const told = [transcript && 'transcript', comment && 'score and link'].filter((each) => each !== false);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-3 last:border-0 sm:px-5">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-2 text-sm font-medium">
          <span className="truncate">{domain}</span>
          {suspension ? (
            <Badge tone="warn" icon={<CircleAlert aria-hidden />}>
              Suspended: {suspension.reason}
            </Badge>
          ) : (
            <Badge tone="good" icon={<CircleCheck aria-hidden />}>
              Linked
            </Badge>
          )}
        </p>
        <p className="mt-0.5 text-xs text-ink-soft">
          {projectId === null ? 'Takes no calls: no project is chosen' : `Calls go to ${project ?? projectId}`}
          {` · from ${settings.durationMinSeconds} s · `}
          {told.length > 0 ? `writes ${told.join(' and ')} to the CRM` : 'nothing is written to the CRM'}
        </p>
        {suspension?.reason === 'ACCESS_MISSING' && (
          <p className="text-xs text-ink-soft">
            An administrator of the portal has to open the app there, to give access.
          </p>
        )}
        <p className="text-xs text-ink-faint">
          {reconciledAt ? `Compared with the portal's own list ${formatAgo(reconciledAt)}` : 'Not compared yet'}
        </p>
      </div>
      {can('portals:write') && (
        <div className="flex gap-2">
          <Button size="sm" onClick={() => setOpen('edit')} icon={<Settings2 className="size-3.5" aria-hidden />}>
            Settings
          </Button>
          <Button
            size="sm"
            variant="danger"
            onClick={() => setOpen('unlink')}
            icon={<Unlink className="size-3.5" aria-hidden />}
          >
            Unlink
          </Button>
        </div>
      )}
      {open === 'edit' && <PortalDialog portal={portal} onClose={() => setOpen(null)} />}
      <UnlinkDialog portal={portal} isOpen={open === 'unlink'} onClose={() => setOpen(null)} />
    </li>
  );
}

function UnlinkDialog({ portal, isOpen, onClose }: { portal: Portal; isOpen: boolean; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const unlink = useMutation(
    trpc.portals.unlink.mutationOptions({
      async onSuccess() {
        onClose();
        toast.done(`${portal.domain} is unlinked`);
        await queryClient.invalidateQueries({ queryKey: trpc.portals.pathKey() });
      },
      onError: (error) => toast.failed(`${portal.domain} was not unlinked`, error),
    }),
  );
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => unlink.mutate({ id: portal.id })}
      isBusy={unlink.isPending}
      title={`Unlink ${portal.domain}?`}
      description="No further calls are taken, nothing is written to the CRM, and its people are signed out of their frames. Calls that were taken stay."
      confirmLabel="Unlink"
    />
  );
}
