import type { Sql } from 'postgres';
import { lockOrg } from '../../db/row-locks.ts';
import type { Database } from '../../db/scope.ts';
import { AppError, notFound } from '../../lib/errors.ts';
import { writeAudit } from './audit.ts';
import type { OrgContext } from '../context.ts';
import { selectFactors, selectRequirement, updateRequirement } from './factor-queries.ts';
import type { SignInRules } from './schemas.ts';

type Access = { db: Database; system: Sql };
type Change = { orgId: string; isNeeded: boolean; by: string };

/** How people of the organization sign in. Throws NOT_FOUND. */
export async function readRules({ db, actor }: OrgContext): Promise<SignInRules> {
  const ownersNeedSecondFactor = await db.findInOrg(actor.orgId, selectRequirement);
  if (ownersNeedSecondFactor === undefined) throw notFound('Organization');
  return { ownersNeedSecondFactor };
}

/** Throws CONFLICT for an owner who requires what they have not set up themselves. */
export async function changeRules(
  system: Sql,
  { db, actor }: OrgContext,
  rules: Partial<SignInRules>,
): Promise<SignInRules> {
  const { ownersNeedSecondFactor: isNeeded } = rules;
  if (isNeeded === undefined) return readRules({ db, actor });
  if (isNeeded) {
    const { hasTotp, passkeys } = await selectFactors(system, actor.userId);
    if (!hasTotp && passkeys === 0) {
      throw new AppError(
        'CONFLICT',
        'Set up a passkey or an authenticator app of your own first, under Account and devices.',
      );
    }
  }
  await requireSecondFactor({ db, system }, { orgId: actor.orgId, isNeeded, by: actor.userId });
  return { ownersNeedSecondFactor: isNeeded };
}

/**
 * Whether owners of the organization need a second factor. Who has none is led to set one up at the next sign-in. Throws
 * NOT_FOUND.
 */
export async function requireSecondFactor({ db, system }: Access, { orgId, isNeeded, by }: Change): Promise<void> {
  await db.withOrg(orgId, async (tx) => {
    await lockOrg(tx);
    const wasNeeded = await selectRequirement(tx);
    if (wasNeeded === undefined) throw notFound('Organization');
    if (wasNeeded === isNeeded) return;
    await updateRequirement(tx, isNeeded);
    await writeAudit(system, {
      type: isNeeded ? 'second_factor.required' : 'second_factor.optional',
      userId: by === 'operator' ? null : by,
      client: null,
      details: { orgId, by },
    });
  });
}
