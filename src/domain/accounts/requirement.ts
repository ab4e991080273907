import type { Database } from '../../db/scope.ts';
import { notFound } from '../../lib/errors.ts';
import { updateRequirement } from './factor-queries.ts';

/**
 * For the operator: whether owners of the organization need a second factor. Who has none is led to set one up at the
 * next sign-in. Throws NOT_FOUND.
 */
export async function requireSecondFactor(db: Database, orgId: string, isNeeded: boolean): Promise<void> {
  const isKnown = await db.withOrg(orgId, (tx) => updateRequirement(tx, isNeeded));
  if (!isKnown) throw notFound('Organization');
}
