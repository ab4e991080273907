import type { OrgTx } from '../../db/scope.ts';
import * as queries from './queries.ts';

/** Identifies one mail, whichever run sends it. */
export type MailKey = { orderId: string; recipient: string };

/**
 *   claimed    this run sends it now; it may have been sent before, if a crash preceded `acceptMail`
 *   accepted   a server has accepted it
 *   taken      another run is sending it
 */
export type Claim = 'claimed' | 'accepted' | 'taken';

/** Commit this before sending the mail. The same run may claim again; another one once the claim has expired. */
export async function claimMail(tx: OrgTx, key: MailKey, runId: string, claimMs: number): Promise<Claim> {
  if (await queries.claimSend(tx, { ...key, runId, claimMs })) return 'claimed';
  return (await queries.isSendAccepted(tx, key)) ? 'accepted' : 'taken';
}

/** The server has accepted the mail: nobody sends it again. */
export async function acceptMail(tx: OrgTx, key: MailKey): Promise<void> {
  await queries.markAccepted(tx, key);
}
