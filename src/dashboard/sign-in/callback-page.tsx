import { useNavigate, useRouteContext } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { LoadingScreen } from '../app/screens.tsx';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/states.tsx';
import { CircleAlert } from 'lucide-react';

/** Pages of the service itself, which this app has no screen for. */
function isServed(href: string): boolean {
  return href === '/account' || href.startsWith('/account/');
}

/** The page to which the identity provider returns. */
export function CallbackPage() {
  const { session } = useRouteContext({ from: '__root__' });
  const navigate = useNavigate();
  const [failure, setFailure] = useState<string | null>(null);
  const isBegun = useRef(false);
  useEffect(() => {
    // The code works only once, and strict mode runs effects twice.
    if (isBegun.current) return;
    isBegun.current = true;
    session.complete().then(
      (href) => (isServed(href) ? location.replace(href) : void navigate({ href, replace: true })),
      (error: unknown) => setFailure(error instanceof Error ? error.message : 'The provider gave no reason.'),
    );
  }, [session, navigate]);
  if (failure === null) return <LoadingScreen />;
  return (
    <main className="grid min-h-dvh place-items-center">
      <Empty
        icon={<CircleAlert aria-hidden />}
        title="Signing in did not work"
        action={<Button onClick={() => void navigate({ to: '/sign-in' })}>Try again</Button>}
      >
        {failure}
      </Empty>
    </main>
  );
}
