import { sql } from 'drizzle-orm';
import type { OrgTx } from '../../db/scope.ts';
import { users } from '../../db/schema/index.ts';

export async function selectMemberIdByEmail(tx: OrgTx, email: string): Promise<string | null> {
  const [row] = await tx
    .select({ id: users.id })
    .from(users)
    .where(sql`lower(${users.email}) = lower(${email})`);
  return row?.id ?? null;
}
