import { EllipsisVertical, ShieldCheck, UserMinus } from 'lucide-react';
import { useState } from 'react';
import { formatAgo, formatDateTime } from '../lib/format.ts';
import { useCan, useMe } from '../session/me.tsx';
import { Badge } from '../ui/badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Td } from '../ui/table.tsx';
import { AccessDialog } from './access-dialog.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { mayTouch, roleWords, type Member } from './roles.ts';
import { useProjectNames } from './use-project-names.ts';

type Props = { member: Member; isLastOwner: boolean };

export function MemberRow({ member, isLastOwner }: Props) {
  const me = useMe();
  const { name, email, role, lastSeenAt } = member;
  return (
    <tr className="hover:bg-raised/60">
      <Td className="w-full max-w-0 xl:w-auto xl:max-w-72">
        <span className="flex items-center gap-2">
          <span className="truncate font-medium">{name ?? email}</span>
          {member.id === me.user.id && <Badge>you</Badge>}
        </span>
        {name && <span className="block truncate text-xs text-ink-faint">{email}</span>}
      </Td>
      <Td>
        <RoleBadge role={role} />
      </Td>
      <Td className="hidden max-w-48 truncate text-ink-soft md:table-cell">
        <Projects projectIds={member.projectIds} />
      </Td>
      <Td className="hidden whitespace-nowrap text-ink-soft sm:table-cell">
        {lastSeenAt ? (
          <time dateTime={lastSeenAt.toISOString()} title={formatDateTime(lastSeenAt)}>
            {formatAgo(lastSeenAt)}
          </time>
        ) : (
          'Not yet'
        )}
      </Td>
      <Td className="w-12 text-right">
        <MemberMenu member={member} isLastOwner={isLastOwner} />
      </Td>
    </tr>
  );
}

export function RoleBadge({ role }: { role: Member['role'] }) {
  return <Badge tone={role === 'owner' ? 'accent' : 'neutral'}>{roleWords[role].label}</Badge>;
}

export function Projects({ projectIds }: { projectIds: string[] | null }) {
  const names = useProjectNames();
  if (projectIds === null) return 'All';
  if (projectIds.length === 0) return 'None';
  return projectIds.map(names).join(', ');
}

function MemberMenu({ member, isLastOwner }: Props) {
  const can = useCan();
  const me = useMe();
  const [open, setOpen] = useState<'access' | 'remove' | null>(null);
  const close = (): void => setOpen(null);
  if (!can('users:change-role') || !mayTouch(me.role, member)) return null;
  const isSelf = member.id === me.user.id;
  return (
    <>
      <Menu
        trigger={
          <IconButton
            size="sm"
            label={`Actions for ${member.name ?? member.email}`}
            icon={<EllipsisVertical className="size-4" aria-hidden />}
          />
        }
      >
        <MenuItem icon={<ShieldCheck aria-hidden />} isDisabled={isLastOwner} onSelect={() => setOpen('access')}>
          Change role and projects
        </MenuItem>
        <MenuItem icon={<UserMinus aria-hidden />} isDanger isDisabled={isLastOwner} onSelect={() => setOpen('remove')}>
          {isSelf ? 'Leave the organization' : 'Remove'}
        </MenuItem>
        {isLastOwner && (
          <p className="max-w-52 px-2.5 py-1.5 text-xs text-ink-faint">
            An organization needs an owner. Make somebody else an owner first.
          </p>
        )}
      </Menu>
      {open === 'access' && <AccessDialog member={member} onClose={close} />}
      <RemoveDialog member={member} isOpen={open === 'remove'} onClose={close} />
    </>
  );
}
