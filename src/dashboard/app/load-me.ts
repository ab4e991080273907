import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { AppRouter } from '../../api/router.ts';
import { statusOf } from '../lib/trpc.ts';
import type { Me } from '../session/me.tsx';
import { selectedOrg, selectOrg } from '../session/selected-org.ts';
import type { RouterContext } from './context.ts';

export type LoadedMe = Me | { memberships: []; user: Me['user'] };

/** Who is reading, and where. An organization that was remembered and is no longer open gives way to one that is. */
export async function loadMe({ client, queryClient, session }: RouterContext): Promise<LoadedMe> {
  const trpc = createTRPCOptionsProxy<AppRouter>({ client, queryClient });
  const answer = await queryClient.fetchQuery(trpc.me.get.queryOptions()).catch((error: unknown) => {
    if (statusOf(error) !== 403 || selectedOrg() === null) throw error;
    selectOrg(null);
    return queryClient.fetchQuery(trpc.me.get.queryOptions());
  });
  const { user, memberships } = answer;
  const membership = memberships.find(({ org }) => org.id === selectedOrg()) ?? memberships[0];
  if (!membership) return { user, memberships: [] };
  selectOrg(membership.org.id);
  const { org, role, projectIds } = membership;
  return { user, memberships, org, role, projectIds, session };
}
