import { useRouteContext } from '@tanstack/react-router';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useCan } from '../session/me.tsx';
import { Button } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { NoPermission } from '../ui/states.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { InvitesCard } from './invites-card.tsx';
import { MatchesCard } from './matches-card.tsx';
import { MembersCard } from './members-card.tsx';
import { RolesCard } from './roles-card.tsx';
import { SignInCard } from './sign-in-card.tsx';

/** Members, invites, and what each role may do. */
export function TeamPage() {
  const can = useCan();
  const { settings } = useRouteContext({ from: '__root__' });
  const [isInviting, setInviting] = useState(false);
  if (!can('users:list')) {
    return (
      <Page title="Team">
        <NoPermission />
      </Page>
    );
  }
  return (
    <Page
      title="Team"
      description="People of this organization and what they may do."
      actions={
        can('users:invite') && (
          <Button
            variant="primary"
            onClick={() => setInviting(true)}
            icon={<UserPlus className="size-4" aria-hidden />}
          >
            Invite
          </Button>
        )
      }
    >
      {can('users:confirm') && <MatchesCard />}
      <MembersCard />
      <InvitesCard />
      {settings.signIn?.hasAccounts && can('orgs:secure') && <SignInCard />}
      <RolesCard />
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Page>
  );
}
