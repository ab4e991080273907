import type { OrgContext } from '../context.ts';
import * as queries from './queries.ts';
import {
  firstStepKeys,
  type DismissFirstStepsInput,
  type FirstStepKey,
  type FirstSteps,
  type SettleFirstStepInput,
} from './schemas.ts';

/**
 * How far a person has come with setting the organization up. A step is done where its result exists; name and project
 * exist from the beginning, so these are done once they were confirmed, or calls have been scored.
 */
export async function getFirstSteps({ db, actor }: OrgContext): Promise<FirstSteps> {
  const [settled, existing] = await db.readOrg(actor.orgId, (tx) =>
    Promise.all([queries.selectSettled(tx, actor.userId), queries.selectExisting(tx, actor.userId)]),
  );
  const steps = firstStepKeys.map((key) => {
    if (isDone(key, settled, existing)) return { key, state: 'done' as const };
    return { key, state: settled.skipped.includes(key) ? ('skipped' as const) : ('open' as const) };
  });
  return { steps, isDismissed: settled.dismissedAt !== null };
}

export async function settleFirstStep(context: OrgContext, input: SettleFirstStepInput): Promise<FirstSteps> {
  const { db, actor } = context;
  await db.withOrg(actor.orgId, (tx) => queries.updateSettled(tx, actor.userId, input));
  return getFirstSteps(context);
}

export async function dismissFirstSteps(
  context: OrgContext,
  { isDismissed }: DismissFirstStepsInput,
): Promise<FirstSteps> {
  const { db, actor } = context;
  await db.withOrg(actor.orgId, (tx) => queries.updateDismissed(tx, actor.userId, isDismissed ? new Date() : null));
  return getFirstSteps(context);
}

function isDone(key: FirstStepKey, { confirmed }: queries.Settled, existing: queries.Existing): boolean {
  switch (key) {
    case 'organization':
    case 'project':
      return confirmed.includes(key) || existing.call;
    case 'call':
      return existing.call;
    case 'invite':
      return existing.colleague;
    case 'key':
      return existing.key;
  }
}
