import { clsx } from 'clsx';
import { CircleAlert, Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { messageOf, statusOf } from '../lib/trpc.ts';
import { Button } from './button.tsx';

/** A grey placeholder of the final size, so that nothing moves when the content arrives. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={clsx('animate-pulse rounded-md bg-raised', className)} />;
}

export function SkeletonRows({ rows = 6, className = 'h-12' }: { rows?: number; className?: string }) {
  return (
    <div role="status" aria-label="Loading" className="grid gap-px">
      {Array.from({ length: rows }, (_, index) => (
        <div
          key={index}
          className={clsx('flex items-center border-b border-line px-4 last:border-0 sm:px-5', className)}
        >
          <Skeleton className="h-3.5 w-2/3" />
        </div>
      ))}
    </div>
  );
}

type NoticeProps = {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** The screen shows nothing else: its title becomes the heading. */
  isScreen?: boolean;
  className?: string;
};

function Notice({ icon, title, children, action, isScreen = false, className }: NoticeProps) {
  const Title = isScreen ? 'h1' : 'p';
  return (
    <div className={clsx('flex flex-col items-center px-6 text-center', isScreen ? 'py-24' : 'py-12', className)}>
      <div className="mb-3 grid size-11 place-items-center rounded-full bg-raised text-ink-soft [&_svg]:size-5">
        {icon}
      </div>
      <Title className="text-sm font-semibold">{title}</Title>
      {children && <div className="mt-1 max-w-md text-sm text-ink-soft">{children}</div>}
      {action && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

/** An empty list: says what to do next. */
export const Empty = Notice;

type ErrorStateProps = { error: unknown; onRetry?: () => void; isScreen?: boolean; className?: string };

/** What went wrong, in the service's own words; a missing permission is not an error. */
export function ErrorState({ error, onRetry, isScreen = false, className }: ErrorStateProps) {
  if (statusOf(error) === 403) return <NoPermission isScreen={isScreen} {...(className && { className })} />;
  return (
    <div role="alert">
      <Notice
        icon={<CircleAlert aria-hidden className="text-bad" />}
        title={statusOf(error) === 404 ? 'Not found' : 'This could not be loaded'}
        action={onRetry && statusOf(error) !== 404 && <Button onClick={onRetry}>Try again</Button>}
        isScreen={isScreen}
        {...(className && { className })}
      >
        {messageOf(error)}
      </Notice>
    </div>
  );
}

export function NoPermission({ isScreen = false, className }: { isScreen?: boolean; className?: string }) {
  return (
    <Notice
      icon={<Lock aria-hidden />}
      title="Your role does not include this"
      isScreen={isScreen}
      {...(className && { className })}
    >
      An owner or admin of the organization can change your role under Team.
    </Notice>
  );
}
