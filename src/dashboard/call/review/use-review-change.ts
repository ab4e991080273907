import { useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../../lib/trpc.ts';

/** A review changes scores wherever they are shown. */
export function useReviewChange(): () => Promise<unknown> {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () =>
    Promise.all(
      [trpc.reviews, trpc.analyses, trpc.records].map((part) =>
        queryClient.invalidateQueries({ queryKey: part.pathKey() }),
      ),
    );
}
