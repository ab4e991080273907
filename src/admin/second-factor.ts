import { requireSecondFactor } from '../domain/accounts/service.ts';
import type { Result } from './output.ts';
import type { Session } from './session.ts';

/** Throws NOT_FOUND (organization). */
export async function setSecondFactor(session: Session, flags: { org: string; owners: string }): Promise<Result> {
  const database = await session.database();
  const isRequired = flags.owners === 'required';
  await requireSecondFactor(database, { orgId: flags.org, isNeeded: isRequired, by: 'operator' });
  const text = isRequired
    ? 'Owners need a second factor. Who has none sets one up at the next sign-in.'
    : 'Owners may sign in with a password alone.';
  return { data: { orgId: flags.org, ownersNeedSecondFactor: isRequired }, text };
}
