import type { OrgTx } from '../../db/scope.ts';
import * as queries from './queries.ts';

/** One mail, whoever sends it. */
export type MailKey = { orderId: string; recipient: string };

/**
 *   claimed    this run sends it now; it may have been sent before, where a crash came before `acceptMail`
 *   accepted   a server has it
 *   taken      another run is at it
 */
export type Claim = 'claimed' | 'accepted' | 'taken';

/** To be committed before the mail is sent. The same run may claim again; another one when the claim has expired. */
export async function claimMail(tx: OrgTx, key: MailKey, runId: string, claimMs: number): Promise<Claim> {
  if (await queries.claimSend(tx, { ...key, runId, claimMs })) return 'claimed';
  return (await queries.isSendAccepted(tx, key)) ? 'accepted' : 'taken';
}

/** The server has taken it: nobody sends it again. */
export async function acceptMail(tx: OrgTx, key: MailKey): Promise<void> {
  await queries.markAccepted(tx, key);
}
