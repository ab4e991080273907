import type { Database } from '../../db/scope.ts';
import { isSigned, readToken } from './pseudonyms.ts';
import * as queries from './queries.ts';

type SubscriptionContext = { db: Database };

/** The organization of an unsubscribe link; null if the link is not ours. */
export async function readSubscription(
  { db }: SubscriptionContext,
  token: string,
): Promise<{ orgName: string } | null> {
  const read = readToken(token);
  if (!read) return null;
  return db.withOrg(read.orgId, async (tx) =>
    (await isSigned(tx, read)) ? { orgName: await queries.selectOrgName(tx) } : null,
  );
}

/** Ends, or resumes, alert mails to the address that the link was sent to. Null if the link is not ours. */
export async function changeSubscription(
  { db }: SubscriptionContext,
  { token, isWanted }: { token: string; isWanted: boolean },
): Promise<{ orgName: string } | null> {
  const read = readToken(token);
  if (!read) return null;
  return db.withOrg(read.orgId, async (tx) => {
    if (!(await isSigned(tx, read))) return null;
    if (isWanted) await queries.deleteRefusal(tx, read.recipient);
    else await queries.insertRefusal(tx, read.recipient);
    return { orgName: await queries.selectOrgName(tx) };
  });
}
