import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { EllipsisVertical, Link, MailX, Send, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { formatAgo, formatDate } from '../lib/format.ts';
import { useTRPC, useTRPCClient } from '../lib/trpc.ts';
import { useCan, useMe } from '../session/me.tsx';
import { Card } from '../ui/card.tsx';
import { ErrorState, SkeletonRows } from '../ui/states.tsx';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Table, Td, Th } from '../ui/table.tsx';
import { toast } from '../ui/toast.tsx';
import { AccessDialog } from './access-dialog.tsx';
import { Projects, RoleBadge } from './member-row.tsx';
import { mayTouch, type Member } from './roles.ts';

const lifetimeMs = 7 * 86_400_000;

/** Invites that nobody has accepted yet. */
export function InvitesCard() {
  const trpc = useTRPC();
  const { settings } = useRouteContext({ from: '__root__' });
  const [hidden, setHidden] = useState<string[]>([]);
  const invites = useQuery(trpc.users.list.queryOptions({ status: 'invited', pageSize: 100 }));
  const shown = invites.data?.data.filter(({ id }) => !hidden.includes(id)) ?? [];
  return (
    <Card
      title="Pending invites"
      description={
        settings.signIn?.hasAccounts
          ? 'Valid for 7 days. By a link, people choose a password.'
          : 'Valid for 7 days, and accepted by signing in with the address.'
      }
      isFlush
      className="mb-5"
    >
      {invites.isPending && <SkeletonRows rows={1} />}
      {invites.isError && <ErrorState error={invites.error} onRetry={() => void invites.refetch()} />}
      {invites.data && shown.length === 0 && (
        <p className="px-4 py-3.5 text-sm text-ink-soft sm:px-5">No open invites.</p>
      )}
      {shown.length > 0 && (
        <Table label="Pending invites">
          <thead>
            <tr>
              <Th>Address</Th>
              <Th>Role</Th>
              <Th className="hidden md:table-cell">Projects</Th>
              <Th className="hidden sm:table-cell">Sent</Th>
              <Th className="hidden sm:table-cell">Good until</Th>
              <Th>
                <span className="sr-only">Actions</span>
              </Th>
            </tr>
          </thead>
          <tbody>
            {shown.map((invite) => (
              <InviteRow
                key={invite.id}
                invite={invite}
                onHide={(isHidden) =>
                  setHidden((now) => (isHidden ? [...now, invite.id] : now.filter((id) => id !== invite.id)))
                }
              />
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  );
}

type RowProps = { invite: Member; onHide: (isHidden: boolean) => void };

function InviteRow({ invite, onHide }: RowProps) {
  const { email, role, projectIds, createdAt } = invite;
  return (
    <tr className="hover:bg-raised/60">
      <Td className="w-full max-w-0 truncate font-medium xl:w-auto xl:max-w-96" title={email}>
        {email}
      </Td>
      <Td>
        <RoleBadge role={role} />
      </Td>
      <Td className="hidden max-w-48 truncate text-ink-soft md:table-cell">
        <Projects projectIds={projectIds} />
      </Td>
      <Td className="hidden whitespace-nowrap text-ink-soft sm:table-cell">{formatAgo(createdAt)}</Td>
      <Td className="hidden whitespace-nowrap text-ink-soft sm:table-cell">
        {formatDate(new Date(createdAt.getTime() + lifetimeMs))}
      </Td>
      <Td className="w-12 text-right">
        <InviteMenu invite={invite} onHide={onHide} />
      </Td>
    </tr>
  );
}

function InviteMenu({ invite, onHide }: RowProps) {
  const can = useCan();
  const me = useMe();
  const [isChanging, setChanging] = useState(false);
  const resend = useResend();
  const copyLink = useCopyLink();
  const { settings } = useRouteContext({ from: '__root__' });
  const revoke = useRevoke();
  if (!can('users:invite') || !mayTouch(me.role, invite)) return null;
  return (
    <>
      <Menu
        trigger={
          <IconButton
            size="sm"
            label={`Actions for the invite of ${invite.email}`}
            icon={<EllipsisVertical className="size-4" aria-hidden />}
          />
        }
      >
        <MenuItem icon={<Send aria-hidden />} onSelect={() => resend(invite)}>
          {settings.hasMail ? 'Send again' : 'Extend by 7 days'}
        </MenuItem>
        {settings.signIn?.hasAccounts && (
          <MenuItem icon={<Link aria-hidden />} onSelect={() => copyLink(invite)}>
            Copy a link
          </MenuItem>
        )}
        <MenuItem icon={<ShieldCheck aria-hidden />} onSelect={() => setChanging(true)}>
          Change role and projects
        </MenuItem>
        <MenuItem icon={<MailX aria-hidden />} isDanger onSelect={() => revoke(invite, onHide)}>
          Withdraw
        </MenuItem>
      </Menu>
      {isChanging && <AccessDialog member={invite} onClose={() => setChanging(false)} />}
    </>
  );
}

/** Another mail where there is mail, and another 7 days. */
function useResend(): (invite: Member) => void {
  const trpc = useTRPC();
  const { settings } = useRouteContext({ from: '__root__' });
  const queryClient = useQueryClient();
  const { mutate } = useMutation(
    trpc.users.resendInvite.mutationOptions({
      onSuccess: ({ email }) =>
        toast.done(
          settings.hasMail
            ? `The invite is on its way to ${email} again`
            : `The invite of ${email} is valid for another 7 days`,
        ),
      onError: (error) => toast.failed('The invite was not sent again', error),
      onSettled: () => queryClient.invalidateQueries({ queryKey: trpc.users.pathKey() }),
    }),
  );
  return ({ id }) => mutate({ id });
}

/** For whoever gets no mail: the link lets them choose a password. */
function useCopyLink(): (invite: Member) => void {
  const trpc = useTRPC();
  const { mutate } = useMutation(
    trpc.users.createInviteLink.mutationOptions({
      onSuccess: ({ path }) => {
        const url = `${location.origin}${path}`;
        // Without a secure origin there is no clipboard.
        const copied = navigator.clipboard ? navigator.clipboard.writeText(url) : Promise.reject(new Error('none'));
        copied.then(
          () => toast.done('The link is copied. It works once, for 7 days'),
          () => void window.prompt('Copy this link. It works once, for 7 days.', url),
        );
      },
      onError: (error) => toast.failed('The link was not copied', error),
    }),
  );
  return ({ id }) => mutate({ id });
}

function useRevoke(): (invite: Member, onHide: RowProps['onHide']) => void {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  return ({ id, email }, onHide) => {
    onHide(true);
    toast.undoable({
      title: `The invite of ${email} is withdrawn`,
      work: async () => {
        await client.users.remove.mutate({ id });
        await queryClient.invalidateQueries({ queryKey: trpc.users.pathKey() });
      },
      onUndo: () => onHide(false),
    });
  };
}
