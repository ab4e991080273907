import { useQueryClient } from '@tanstack/react-query';
import { useRouteContext, useRouter } from '@tanstack/react-router';
import { BookOpen, Check, LogOut, Moon, Sun, SunMoon, UserRound } from 'lucide-react';
import { useMe } from '../session/me.tsx';
import { selectOrg } from '../session/selected-org.ts';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../ui/menu.tsx';
import { AccountButton } from './account-button.tsx';
import { useTheme, type ThemeChoice } from './theme.ts';

const themes: { choice: ThemeChoice; label: string; icon: typeof Sun }[] = [
  { choice: 'system', label: 'As the system', icon: SunMoon },
  { choice: 'light', label: 'Light', icon: Sun },
  { choice: 'dark', label: 'Dark', icon: Moon },
];

/** Organization, theme, documentation, sign-out. */
export function AccountMenu() {
  const { org, memberships, session } = useMe();
  const { settings } = useRouteContext({ from: '__root__' });
  const [theme, setTheme] = useTheme();
  const switchTo = useSwitchOrg();
  return (
    <Menu align="start" side="top" trigger={<AccountButton />}>
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
      {settings.signIn?.hasAccounts && session.kind === 'oidc' && (
        <MenuItem icon={<UserRound aria-hidden />} onSelect={() => location.assign('/account')}>
          Account and devices
        </MenuItem>
      )}
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
