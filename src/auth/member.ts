import type { Sql } from 'postgres';
import { answeredInTime } from '../db/deadline.ts';
import type { Member, Membership } from './principal.ts';

/** Reads the user's membership with its current role; null for anybody who is not a member. */
export async function findMember(
  system: Sql,
  { orgId, userId }: { orgId: string; userId: string },
): Promise<Member | null> {
  const [row] = await answeredInTime(
    () => system<Membership[]>`
    select org_id as "orgId", role, project_ids as "projectIds" from memberships
     where (org_id, user_id) = (${orgId}, ${userId})`,
  );
  return row ? { ...row, userId } : null;
}
