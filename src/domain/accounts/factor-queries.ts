import { eq } from 'drizzle-orm';
import type { Sql, TransactionSql } from 'postgres';
import { answeredInTime } from '../../db/deadline.ts';
import { orgs } from '../../db/schema/index.ts';
import type { OrgTx } from '../../db/scope.ts';

export type Factors = {
  /** Whether an authenticator app's codes are asked for. */
  hasTotp: boolean;
  recoveryCodes: number;
  passkeys: number;
  /** Whether an organization, of which the person is an owner, demands a second factor of its owners. */
  isNeeded: boolean;
};

export async function selectFactors(system: Sql | TransactionSql, userId: string): Promise<Factors> {
  const [row] = await answeredInTime(
    () => system<Factors[]>`
    select exists (select from totp_secrets where user_id = ${userId} and confirmed_at is not null) as "hasTotp",
           (select count(*)::int from recovery_codes where user_id = ${userId}) as "recoveryCodes",
           (select count(*)::int from passkeys where user_id = ${userId}) as passkeys,
           exists (select from memberships m join orgs o on o.id = m.org_id
                    where m.user_id = ${userId} and m.role = 'owner' and o.owners_need_second_factor) as "isNeeded"`,
  );
  if (!row) throw new Error('Nothing was selected.');
  return row;
}

/** Undefined if there is no such organization. */
export async function selectRequirement(tx: OrgTx): Promise<boolean | undefined> {
  const [org] = await tx.select({ isNeeded: orgs.ownersNeedSecondFactor }).from(orgs).where(eq(orgs.id, tx.orgId));
  return org?.isNeeded;
}

export async function updateRequirement(tx: OrgTx, isNeeded: boolean): Promise<void> {
  await tx.update(orgs).set({ ownersNeedSecondFactor: isNeeded }).where(eq(orgs.id, tx.orgId));
}
