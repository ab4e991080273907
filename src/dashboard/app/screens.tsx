import { Link, useRouter } from '@tanstack/react-router';
import { Compass, TimerOff } from 'lucide-react';
import { useEffect } from 'react';
import { FrameEnded } from '../session/session.ts';
import { buttonClass } from '../ui/button.tsx';
import { Empty, ErrorState, Skeleton } from '../ui/states.tsx';

export function LoadingScreen() {
  return (
    <div role="status" aria-label="Loading" className="mx-auto grid w-full max-w-7xl gap-4 px-4 py-6 sm:px-6 lg:px-8">
      <Skeleton className="h-7 w-48" />
      <Skeleton className="h-64 w-full" />
    </div>
  );
}

export function NotFoundScreen() {
  return (
    <Empty
      icon={<Compass aria-hidden />}
      title="There is nothing at this address"
      isScreen
      action={
        <Link to="/" className={buttonClass()}>
          Go to the overview
        </Link>
      }
    />
  );
}

/** Without navigation: it needs no signed-in user. */
export function NotFoundPage() {
  useEffect(() => {
    document.title = 'Not found · Earshot';
  }, []);
  return (
    <main>
      <NotFoundScreen />
    </main>
  );
}

export function RouteError({ error, reset }: { error: unknown; reset: () => void }) {
  const router = useRouter();
  if (error instanceof FrameEnded) return <FrameEndedScreen />;
  const again = (): void => {
    reset();
    void router.invalidate();
  };
  return <ErrorState error={error} onRetry={again} isScreen />;
}

function FrameEndedScreen() {
  return (
    <main>
      <Empty icon={<TimerOff aria-hidden />} title="Your session here has ended" className="py-16">
        Open this tab of the CRM again to go on.
      </Empty>
    </main>
  );
}
