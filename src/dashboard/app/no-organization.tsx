import { Mail } from 'lucide-react';
import type { Outputs } from '../lib/trpc.ts';
import type { Me } from '../session/me.tsx';
import type { Session } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/states.tsx';

type Props = { user: Me['user']; confirmation: Outputs['me']['get']['confirmation']; session: Session };

/** For a signed-in user without an organization. */
export function NoOrganization({ user, confirmation, session }: Props) {
  const { title, text } = wordsFor(confirmation, user.email);
  return (
    <main className="grid min-h-dvh place-items-center">
      <Empty
        icon={<Mail aria-hidden />}
        title={title}
        action={
          <>
            <Button onClick={() => location.reload()}>Look again</Button>
            <Button variant="ghost" onClick={() => void session.signOut()}>
              Sign out
            </Button>
          </>
        }
      >
        {text}
      </Empty>
    </main>
  );
}

function wordsFor(confirmation: Props['confirmation'], email: string): { title: string; text: string } {
  if (confirmation === 'waiting') {
    return {
      title: 'An owner has to confirm that this is you',
      text: `Somebody with the address ${email} has been here before, by another sign-in. Ask an owner of your organization to confirm you under Team. Then look again: everything is as it was.`,
    };
  }
  if (confirmation === 'refused') {
    return {
      title: 'This sign-in was refused',
      text: `An owner or the operator has refused that this is the person with the address ${email} who has been here before. Ask them if that was a mistake.`,
    };
  }
  return {
    title: 'You are not a member of an organization yet',
    text: `Ask an owner or admin to invite ${email}. The invitation is accepted as soon as you sign in with that address.`,
  };
}
