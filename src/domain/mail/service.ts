import type { Role } from '../../model/role.ts';
import type { Database, OrgTx } from '../../db/scope.ts';
import { isDeliverable } from '../../lib/mailbox.ts';
import { alertLetter, budgetLetter, inviteLetter, linksOf, webhookLetter, type Links } from './letters.ts';
import { isSigned, readPseudonyms, readToken, writeToken } from './pseudonyms.ts';
import * as queries from './queries.ts';
import { renderLetter } from './render.ts';
import type { ComposedMail, Letter, MailOrder } from './schemas.ts';

export { renderLetter };

const inCharge: Role[] = ['owner', 'admin'];

/** The recipients of an order, by pseudonym: each once, without those who unsubscribed or cannot get mail. */
export async function listRecipients(tx: OrgTx, order: MailOrder, publicUrl: string): Promise<string[]> {
  const notice = await readNotice(tx, order, linksOf(publicUrl));
  return notice ? [...(await recipientsOf(tx, notice)).keys()] : [];
}

/** The mail to one recipient, or null if meanwhile there is nothing left to say, or nobody to say it to. */
export async function composeMail(
  tx: OrgTx,
  order: MailOrder,
  { recipient, publicUrl, inviteUrl = null }: { recipient: string; publicUrl: string; inviteUrl?: string | null },
): Promise<ComposedMail | null> {
  const notice = await readNotice(tx, order, linksOf(publicUrl), inviteUrl);
  if (!notice) return null;
  const to = (await recipientsOf(tx, notice)).get(recipient);
  if (to === undefined) return null;
  const unsubscribeUrl = notice.isOptional ? await unsubscribeUrlOf(tx, { recipient, publicUrl }) : null;
  return { to, ...renderLetter(notice.letter, unsubscribeUrl) };
}

type Notice = {
  letter: Letter;
  addresses: string[];
  /** Whether readers may unsubscribe. */
  isOptional: boolean;
};

async function readNotice(
  tx: OrgTx,
  order: MailOrder,
  links: Links,
  inviteUrl: string | null = null,
): Promise<Notice | null> {
  switch (order.type) {
    case 'alert.triggered': {
      const { data } = order;
      if (!data.actions.includes('email')) return null;
      const found = await queries.selectAlertRecipients(tx, data);
      if (!found) return null;
      const { recipients, projectName } = found;
      const addresses = recipients.length > 0 ? recipients : await queries.selectAddresses(tx, inCharge);
      const orgName = await queries.selectOrgName(tx);
      return { letter: alertLetter({ data, projectName, orgName }, links), addresses, isOptional: true };
    }
    case 'invite.mail.requested': {
      const invite = await queries.selectOpenInvite(tx, order.data.inviteId);
      if (!invite) return null;
      const orgName = await queries.selectOrgName(tx);
      return {
        letter: inviteLetter({ ...invite, orgName }, links, inviteUrl),
        addresses: [invite.email],
        isOptional: false,
      };
    }
    case 'budget.threshold_reached': {
      const [orgName, addresses] = await Promise.all([
        queries.selectOrgName(tx),
        queries.selectAddresses(tx, inCharge),
      ]);
      return { letter: budgetLetter({ data: order.data, orgName }, links), addresses, isOptional: false };
    }
    case 'webhook.disabled.mail.requested': {
      const { webhookId } = order.data;
      const webhook = await queries.selectDisabledWebhook(tx, webhookId);
      if (!webhook) return null;
      const [orgName, addresses] = await Promise.all([
        queries.selectOrgName(tx),
        queries.selectAddresses(tx, ['owner']),
      ]);
      return { letter: webhookLetter({ ...webhook, webhookId, orgName }, links), addresses, isOptional: false };
    }
    default:
      return order satisfies never;
  }
}

/** Addresses by pseudonym. */
async function recipientsOf(tx: OrgTx, { addresses, isOptional }: Notice): Promise<Map<string, string>> {
  const pseudonyms = await readPseudonyms(tx);
  const deliverable = addresses.filter(isDeliverable);
  const recipients = new Map(deliverable.map((address) => [pseudonyms.of(address), address]));
  if (!isOptional || recipients.size === 0) return recipients;
  for (const refusing of await queries.selectRefusals(tx, [...recipients.keys()])) recipients.delete(refusing);
  return recipients;
}

async function unsubscribeUrlOf(tx: OrgTx, { recipient, publicUrl }: { recipient: string; publicUrl: string }) {
  const signature = (await readPseudonyms(tx)).sign(recipient);
  const url = new URL(`${publicUrl.replace(/\/+$/, '')}/mail/unsubscribe`);
  url.searchParams.set('token', writeToken({ orgId: tx.orgId, recipient, signature }));
  return url.href;
}

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

/**
 * The organization of an unsubscribe link; null if the link is not ours. `isWanted` ends, or resumes, alert mails to
 * the address that it was sent to.
 */
export async function openSubscription(
  db: Database,
  { token, isWanted }: { token: string; isWanted?: boolean },
): Promise<{ orgName: string } | null> {
  const read = readToken(token);
  if (!read) return null;
  return db.withOrg(read.orgId, async (tx) => {
    if (!(await isSigned(tx, read))) return null;
    if (isWanted === true) await queries.deleteRefusal(tx, read.recipient);
    if (isWanted === false) await queries.insertRefusal(tx, read.recipient);
    return { orgName: await queries.selectOrgName(tx) };
  });
}
