import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CircleAlert, EllipsisVertical, KeyRound, Pause, Pencil, Play, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { formatDateTime } from '../lib/format.ts';
import { useTRPC } from '../lib/trpc.ts';
import { useCan } from '../session/me.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { toast } from '../ui/toast.tsx';
import { disabledWords, type Webhook } from './events.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';

type Props = { webhook: Webhook };

export function WebhookActions({ webhook }: Props) {
  const [open, setOpen] = useState<'edit' | 'rotate' | 'delete' | null>(null);
  const close = (): void => setOpen(null);
  const test = useTest(webhook);
  const enable = useEnable(webhook);
  return (
    <>
      <Button
        isBusy={test.isPending}
        onClick={() => test.mutate({ id: webhook.id })}
        icon={<Send className="size-4" aria-hidden />}
      >
        Send test
      </Button>
      <Menu
        trigger={
          <IconButton
            variant="secondary"
            label="More actions"
            icon={<EllipsisVertical className="size-4" aria-hidden />}
          />
        }
      >
        <MenuItem icon={<Pencil aria-hidden />} onSelect={() => setOpen('edit')}>
          Edit
        </MenuItem>
        <MenuItem
          icon={webhook.enabled ? <Pause aria-hidden /> : <Play aria-hidden />}
          onSelect={() => enable.mutate({ id: webhook.id, enabled: !webhook.enabled })}
        >
          {webhook.enabled ? 'Pause' : 'Enable'}
        </MenuItem>
        <MenuItem icon={<KeyRound aria-hidden />} onSelect={() => setOpen('rotate')}>
          Rotate secret
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Trash2 aria-hidden />} isDanger onSelect={() => setOpen('delete')}>
          Delete
        </MenuItem>
      </Menu>
      {open === 'edit' && <WebhookDialog webhook={webhook} onClose={close} />}
      <RotateDialog webhook={webhook} isOpen={open === 'rotate'} onClose={close} />
      <DeleteDialog webhook={webhook} isOpen={open === 'delete'} onClose={close} />
    </>
  );
}

/** Why nothing is sent, and how to change that. */
export function DisabledNotice({ webhook }: Props) {
  const can = useCan();
  const enable = useEnable(webhook);
  const { id, enabled, disabledReason, disabledAt } = webhook;
  if (enabled) return null;
  const reason = disabledReason ? disabledWords[disabledReason] : 'Paused by a member.';
  return (
    <div className="mb-5 flex flex-wrap items-center gap-3 rounded-xl border border-line bg-warn-soft px-4 py-3 text-sm text-warn">
      <CircleAlert className="size-4 shrink-0" aria-hidden />
      <p className="min-w-0 flex-1">
        <span className="font-medium">{reason}</span> {disabledAt && `On ${formatDateTime(disabledAt)}. `}Only tests are
        sent. Failed events can be sent again later.
      </p>
      {can('webhooks:write') && (
        <Button size="sm" isBusy={enable.isPending} onClick={() => enable.mutate({ id, enabled: true })}>
          Enable again
        </Button>
      )}
    </div>
  );
}

type DialogProps = Props & { isOpen: boolean; onClose: () => void };

function RotateDialog({ webhook, isOpen, onClose }: DialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const rotate = useMutation(
    trpc.webhooks.rotateSecret.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.webhooks.pathKey() }),
      onError: (error) => toast.failed('The secret was not rotated', error),
    }),
  );
  const end = (): void => {
    rotate.reset();
    onClose();
  };
  if (rotate.data) return <SecretDialog secret={rotate.data.secret} onClose={end} />;
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => rotate.mutate({ id: webhook.id })}
      isBusy={rotate.isPending}
      title="Rotate the signing secret?"
      description="You get a new secret. For 24 hours requests are signed with both, the new and the old one, so that you can change over without losing any."
      confirmLabel="Rotate secret"
    />
  );
}

function DeleteDialog({ webhook, isOpen, onClose }: DialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation(
    trpc.webhooks.delete.mutationOptions({
      async onSuccess() {
        onClose();
        toast.done('The endpoint is deleted');
        await navigate({ to: '/webhooks' });
        await queryClient.invalidateQueries({ queryKey: trpc.webhooks.list.pathKey() });
      },
      onError: (error) => toast.failed('The endpoint was not deleted', error),
    }),
  );
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => remove.mutate({ id: webhook.id })}
      isBusy={remove.isPending}
      title="Delete this endpoint?"
      description={`Nothing more is sent to ${webhook.url}, and its deliveries are deleted.`}
      confirmLabel="Delete"
    />
  );
}

function useTest({ id }: Webhook) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.webhooks.test.mutationOptions({
      onSuccess() {
        toast.done('A test event is on its way', 'Its result is the first of the deliveries.');
        return queryClient.invalidateQueries(trpc.webhooks.deliveries.queryFilter({ id }));
      },
      onError: (error) => toast.failed('The test was not sent', error),
    }),
  );
}

function useEnable({ id }: Webhook) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.webhooks.update.mutationOptions({
      onSuccess(webhook) {
        queryClient.setQueryData(trpc.webhooks.get.queryKey({ id }), webhook);
        toast.done(webhook.enabled ? 'The endpoint is enabled' : 'The endpoint is paused');
        return queryClient.invalidateQueries({ queryKey: trpc.webhooks.list.pathKey() });
      },
      onError: (error) => toast.failed('The endpoint was not changed', error),
    }),
  );
}
