import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { BookOpen, Check, ChevronsUpDown, LogOut, Moon, Sun, SunMoon } from 'lucide-react';
import { useMe } from '../session/me.tsx';
import { selectOrg } from '../session/selected-org.ts';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../ui/menu.tsx';
import { useTheme, type ThemeChoice } from './theme.ts';

const themes: { choice: ThemeChoice; label: string; icon: typeof Sun }[] = [
  { choice: 'system', label: 'As the system', icon: SunMoon },
  { choice: 'light', label: 'Light', icon: Sun },
  { choice: 'dark', label: 'Dark', icon: Moon },
];

/** Organization, theme, documentation, sign-out. */
export function AccountMenu() {
  const { user, org, role, memberships, session } = useMe();
  const [theme, setTheme] = useTheme();
  const switchTo = useSwitchOrg();
  return (
    <Menu
      align="start"
      side="top"
      trigger={
        <button
          type="button"
          className="flex w-full items-center gap-2.5 rounded-lg border border-line px-2 py-1.5 text-left hover:bg-raised"
        >
          <span
            aria-hidden="true"
            className="grid size-8 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent-strong"
          >
            {initialsOf(user.name)}
          </span>
          <span className="min-w-0 flex-1">
            <span className="block truncate text-sm font-medium">{org.name}</span>
            <span className="block truncate text-xs text-ink-faint">
              {user.name} · {role}
            </span>
          </span>
          <ChevronsUpDown className="size-4 shrink-0 text-ink-faint" aria-hidden />
        </button>
      }
    >
      <MenuLabel>Organization</MenuLabel>
      {memberships.map((membership) => (
        <MenuItem
          key={membership.org.id}
          icon={<Check aria-hidden className={membership.org.id === org.id ? '' : 'invisible'} />}
          onSelect={() => switchTo(membership.org.id)}
        >
          {membership.org.name}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuLabel>Appearance</MenuLabel>
      {themes.map(({ choice, label, icon: Icon }) => (
        <MenuItem
          key={choice}
          icon={choice === theme ? <Check aria-hidden /> : <Icon aria-hidden />}
          onSelect={() => setTheme(choice)}
        >
          {label}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem icon={<BookOpen aria-hidden />} onSelect={() => window.open('/docs', '_blank', 'noopener')}>
        API documentation
      </MenuItem>
      <MenuItem icon={<LogOut aria-hidden />} onSelect={() => void session.signOut()}>
        Sign out
      </MenuItem>
    </Menu>
  );
}

function useSwitchOrg(): (orgId: string) => void {
  const router = useRouter();
  const queryClient = useQueryClient();
  return (orgId) => {
    selectOrg(orgId);
    queryClient.clear();
    void router.navigate({ to: '/' }).then(() => router.invalidate());
  };
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '');
  return [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => word?.[0]?.toUpperCase() ?? '').join('');
}
