import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useTRPC } from '../../lib/trpc.ts';

/** The number of versions, and the shown one. */
export function useVersions(): { latest: number; shown: number } {
  const trpc = useTRPC();
  const { id } = useParams({ from: '/app/profiles/$id' });
  const { version } = useSearch({ from: '/app/profiles/$id' });
  const latest = useQuery(trpc.profiles.get.queryOptions({ id })).data?.version ?? 1;
  return { latest, shown: version ?? latest };
}
