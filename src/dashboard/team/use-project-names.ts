import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../lib/trpc.ts';

/** A project's name; its id until that is loaded, or if there are too many projects. */
export function useProjectNames(): (id: string) => string {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.projects.list.queryOptions({ pageSize: 100 }, { staleTime: 60_000 }));
  return (id) => data?.data.find((project) => project.id === id)?.name ?? id;
}
