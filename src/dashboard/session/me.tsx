import { createContext, useContext } from 'react';
import { can, type Permission } from '../../auth/permissions.ts';
import { type Role } from '../../model/role.ts';
import type { Outputs } from '../lib/trpc.ts';
import type { Session } from './session.ts';

type Membership = Outputs['me']['get']['memberships'][number];

/** The user in their selected organization. */
export type Me = {
  user: Outputs['me']['get']['user'];
  memberships: Membership[];
  org: Membership['org'];
  role: Role;
  projectIds: string[] | null;
  session: Session;
};

const MeContext = createContext<Me | null>(null);
export const MeProvider = MeContext.Provider;

export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error('useMe needs a signed-in reader.');
  return me;
}

/** What the role may do, by the server's own table. */
export function useCan(): (permission: Permission) => boolean {
  const { role } = useMe();
  return (permission) => can(role, permission);
}
