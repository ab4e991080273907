import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState, Skeleton } from './states.tsx';

type Props<T> = {
  query: Pick<UseQueryResult<T, unknown>, 'data' | 'error' | 'isError'> & { refetch: () => unknown };
  /** Of the placeholder: the size of what comes. */
  className: string;
  children: (data: T) => ReactNode;
};

/** What was asked for, once it is there; until then a placeholder, or the reason with a button to ask again. */
export function Loaded<T>({ query: { data, error, isError, refetch }, className, children }: Props<T>) {
  if (data !== undefined) return children(data);
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <div role="status" aria-label="Loading">
      <Skeleton className={className} />
    </div>
  );
}
