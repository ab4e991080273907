import { Mail } from 'lucide-react';
import type { Me } from '../session/me.tsx';
import type { Session } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/states.tsx';

type Props = { user: Me['user']; session: Session };

/** For a signed-in user without an organization. */
export function NoOrganization({ user, session }: Props) {
  return (
    <main className="grid min-h-dvh place-items-center">
      <Empty
        icon={<Mail aria-hidden />}
        title="You are not a member of an organization yet"
        action={
          <>
            <Button onClick={() => location.reload()}>Look again</Button>
            <Button variant="ghost" onClick={() => void session.signOut()}>
              Sign out
            </Button>
          </>
        }
      >
        Ask an owner or admin to invite {user.email}. The invitation is accepted as soon as you sign in with that
        address.
      </Empty>
    </main>
  );
}
