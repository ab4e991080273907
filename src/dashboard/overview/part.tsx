import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Card } from '../ui/card.tsx';
import { ErrorState, Skeleton } from '../ui/states.tsx';
import type { Overview } from './search.ts';

export type OverviewQuery = Pick<UseQueryResult<Overview, unknown>, 'data' | 'error' | 'isError'> & {
  refetch: () => unknown;
};

type PartProps = {
  overview: OverviewQuery;
  title: string;
  description?: ReactNode;
  action?: ReactNode;
  isFlush?: boolean;
  /** Placeholder lines while loading. */
  lines?: number;
  children: (overview: Overview) => ReactNode;
};

/** A card of the overview: it keeps its size while loading, and can be retried by itself. */
export function Part({ overview, title, description, action, isFlush = false, lines = 4, children }: PartProps) {
  const { data, isError, error, refetch } = overview;
  return (
    <Card title={title} description={description} action={data && action} isFlush={isFlush} aria-label={title}>
      {data ? (
        children(data)
      ) : isError ? (
        <ErrorState error={error} onRetry={() => void refetch()} className="!py-6" />
      ) : (
        <div role="status" aria-label={`${title}: loading`} className={isFlush ? 'grid gap-3 p-4' : 'grid gap-3'}>
          {Array.from({ length: lines }, (_, line) => (
            <Skeleton key={line} className="h-7 w-full" />
          ))}
        </div>
      )}
    </Card>
  );
}

export function Nothing({ children }: { children: ReactNode }) {
  return (
    <p className="mx-auto max-w-sm px-4 py-8 text-center text-sm text-balance text-ink-soft sm:px-5">{children}</p>
  );
}
