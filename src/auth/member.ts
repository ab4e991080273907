import type { Sql } from 'postgres';
import { answeredInTime } from '../db/deadline.ts';
import type { Member, Membership } from './principal.ts';

/** The user in the organization with their present role, read anew; null for who is no member of it, or no more. */
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
