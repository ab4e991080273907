import { useRouteContext, useSearch } from '@tanstack/react-router';
import { LogIn } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Logo } from '../app/logo.tsx';
import { messageOf } from '../lib/trpc.ts';
import { safePath } from '../session/session.ts';
import { Button } from '../ui/button.tsx';

/** One button: the identity provider does the rest. */
export function SignInPage() {
  const { session, settings } = useRouteContext({ from: '__root__' });
  const { to, as: loginHint } = useSearch({ from: '/sign-in' });
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isBegun = useRef(false);
  const signIn = async (): Promise<void> => {
    setBusy(true);
    await session.signIn({ returnTo: safePath(to), loginHint }).catch((error: unknown) => {
      setBusy(false);
      setFailure(messageOf(error));
    });
  };
  useEffect(() => {
    if (loginHint === undefined || isBegun.current) return;
    isBegun.current = true;
    void signIn();
  });
  useEffect(() => {
    document.title = 'Sign in · Earshot';
  }, []);
  return (
    <main className="grid min-h-dvh place-items-center px-4">
      <div className="w-full max-w-sm rounded-2xl border border-line bg-surface p-8 text-center shadow-card">
        <div className="mb-4 flex justify-center [&_svg]:size-11">
          <Logo />
        </div>
        <h1 className="text-lg font-semibold tracking-tight">Earshot</h1>
        <p className="mt-1 mb-6 text-sm text-ink-soft">Every call heard, every score explained.</p>
        {settings.signIn ? (
          <Button
            variant="primary"
            className="w-full"
            isBusy={isBusy}
            onClick={() => void signIn()}
            icon={<LogIn className="size-4" aria-hidden />}
          >
            Sign in
          </Button>
        ) : (
          <p className="text-sm text-ink-soft">
            The dashboard has no client of the identity provider. Set <code>OIDC_CLIENT_ID</code> beside{' '}
            <code>OIDC_ISSUER</code>.
          </p>
        )}
        {failure && (
          <p role="alert" className="mt-4 text-sm text-bad">
            {failure}
          </p>
        )}
      </div>
    </main>
  );
}
