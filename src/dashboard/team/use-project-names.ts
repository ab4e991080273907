import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../lib/trpc.ts';

/** What a project is called; its id until that is known, or where it is one of very many. */
export function useProjectNames(): (id: string) => string {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.projects.list.queryOptions({ pageSize: 100 }, { staleTime: 60_000 }));
  return (id) => data?.data.find((project) => project.id === id)?.name ?? id;
}
