import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { AppRouter } from '../../api/router.ts';
import { statusOf, type Outputs } from '../lib/trpc.ts';
import type { Me } from '../session/me.tsx';
import { selectedOrg, selectOrg } from '../session/selected-org.ts';
import type { RouterContext } from './context.ts';

type Answer = Outputs['me']['get'];
export type LoadedMe = Me | { memberships: []; user: Me['user']; confirmation: Answer['confirmation'] };

/** Loads the user and organization. If the remembered organization is no longer accessible, another one is chosen. */
export async function loadMe({ client, queryClient, session }: RouterContext): Promise<LoadedMe> {
  const trpc = createTRPCOptionsProxy<AppRouter>({ client, queryClient });
  const answer = await queryClient.fetchQuery(trpc.me.get.queryOptions()).catch((error: unknown) => {
    if (statusOf(error) !== 403 || selectedOrg() === null) throw error;
    selectOrg(null);
    return queryClient.fetchQuery(trpc.me.get.queryOptions());
  });
  const { user, memberships, confirmation } = answer;
  const membership = memberships.find(({ org }) => org.id === selectedOrg()) ?? memberships[0];
  if (!membership) return { user, memberships: [], confirmation };
  selectOrg(membership.org.id);
  const { org, role, projectIds } = membership;
  return { user, memberships, org, role, projectIds, session };
}
