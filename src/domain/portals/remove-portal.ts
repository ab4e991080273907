import type { OrgTx } from '../../db/scope.ts';
import { ignoreCallsOfUnlinked } from './call-queries.ts';
import { originOf } from './origin.ts';
import * as queries from './queries.ts';

/** In the caller's transaction. False if it is already gone. */
export async function removePortal(
  tx: OrgTx,
  { memberId, domain }: { memberId: string; domain: string },
): Promise<boolean> {
  await queries.deletePortalSessions(tx, originOf(domain));
  await ignoreCallsOfUnlinked(tx, memberId);
  return queries.deletePortal(tx, memberId);
}
