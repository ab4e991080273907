import { createHash } from 'node:crypto';
import type { FailureEventPayload, Inngest } from 'inngest';
import { baseUrlOf, signInOriginOf } from '../../config/config.ts';
import { signInModeOf } from '../../config/sign-in.ts';
import { makeInviteLink } from '../../domain/accounts/service.ts';
import { composeMail, listRecipients, acceptMail, claimMail } from '../../domain/mail/service.ts';
import { MailOrder } from '../../domain/mail/schemas.ts';
import { completeOrder, readOrder } from '../../domain/events/service.ts';
import type { OrgTx } from '../../db/scope.ts';
import { countDelivery, type CountedDelivery } from '../../lib/metrics.ts';
import { MailError } from '../../providers/mail/interface.ts';
import { trigger } from '../client.ts';
import type { FunctionDeps } from '../dependencies.ts';
import { withRetries } from '../base/with-retries.ts';
import { poison, retryAfter, toStepError } from '../base/faults.ts';
import { giveUp, orderIdOf, settle, type Order } from '../orders.ts';

/** About three hours with the embedded engine, a day with Inngest: mail servers come back. */
const retries = 20;

/** Longer than a server may take to accept a mail. Only a run that was announced again ever waits for it. */
const claimMs = 5 * 60_000;

type MailJob = Order & { runId: string; publicUrl: string };

type Outcome = { status: 'sent' | 'void' } | { status: 'failed'; reason: string };

/**
 * Notifies people by mail. Each recipient has their own step, so that an unreachable one does not hold up the others.
 * Steps know recipients by pseudonym, and read the address when they send.
 */
export function createSendMail(client: Inngest, deps: FunctionDeps) {
  const publicUrl = baseUrlOf(deps.config);
  return client.createFunction(
    {
      id: 'send-mail',
      triggers: [
        trigger('alert.triggered'),
        trigger('invite.mail.requested'),
        trigger('budget.threshold_reached'),
        trigger('webhook.disabled.mail.requested'),
      ],
      retries,
      concurrency: [{ key: 'event.data.orgId', limit: 2 }],
      onFailure: async ({ event, error }) => {
        const { name, data } = (event.data as FailureEventPayload['data']).event;
        await giveUp(deps.db, event);
        deps.log.warn({ orgId: data?.['orgId'], event: name, reason: error.message }, 'mail was not delivered');
      },
    },
    async ({ event, step, runId }) => {
      const job = { orgId: event.data.orgId, orderId: orderIdOf(event), runId, publicUrl };
      const list = async (tx: OrgTx): Promise<string[]> => {
        const order = await readMailOrder(tx, job.orderId);
        return order ? listRecipients(tx, order, publicUrl) : [];
      };
      const recipients = await step.run('recipients', () => settle(deps.db, job, list, ({ length }) => length === 0));
      if (recipients.length === 0) return { sent: 0 };
      const outcomes = await Promise.all(
        recipients.map((recipient) => step.run(`send:${recipient}`, () => send(deps, job, recipient)).catch(toFailed)),
      );
      const concluded = conclude(outcomes);
      await step.run('done', () => deps.db.withOrg(job.orgId, (tx) => completeOrder(tx, job.orderId)));
      return concluded;
    },
  );
}

/** The content of the mail, as ordered. Undefined if the order was done and cleaned up long ago. */
async function readMailOrder(tx: OrgTx, orderId: string): Promise<(MailOrder & { orderedAt: Date }) | undefined> {
  const row = await readOrder(tx, orderId);
  return row && { ...MailOrder.parse(row), orderedAt: row.createdAt };
}

/**
 * A mail that a server has accepted is not sent again, however often it is ordered. Only a crash between the server's
 * answer and our note of it causes a second one, with the same id.
 */
async function send(
  deps: FunctionDeps,
  { orgId, orderId, runId, publicUrl }: MailJob,
  recipient: string,
): Promise<Outcome> {
  const { db, mailer, log, leaving, stopping } = deps;
  const inviteUrl = await inviteUrlOf(deps, await db.withOrg(orgId, (tx) => readMailOrder(tx, orderId)));
  const { order, mail, claim } = await db.withOrg(orgId, async (tx) => {
    const ordered = await readMailOrder(tx, orderId);
    const composed = ordered ? await composeMail(tx, ordered, { recipient, publicUrl, inviteUrl }) : null;
    const claimed = composed && (await claimMail(tx, { orderId, recipient }, runId, claimMs));
    return { order: ordered, mail: composed, claim: claimed };
  });
  if (!order || !mail) return { status: 'void' };
  if (claim === 'accepted') return { status: 'sent' };
  if (claim === 'taken') throw retryAfter(claimMs, { code: 'MAIL_UNDER_WAY', message: 'Another run is sending it.' });
  leaving.throwIfAborted();
  const digest = createHash('sha256').update(`${orderId}:${recipient}`).digest('hex').slice(0, 32);
  const messageId = `<${digest}@${new URL(publicUrl).hostname}>`;
  const from = performance.now();
  const count = (outcome: CountedDelivery['outcome']) =>
    countDelivery({ channel: 'mail', outcome, seconds: (performance.now() - from) / 1000 });
  try {
    await mailer.send({ ...mail, messageId, date: order.orderedAt });
    count('delivered');
  } catch (error) {
    count(error instanceof MailError && !error.retryable ? 'given_up' : 'failed');
    throw toStepError(error);
  }
  const note = () => db.withOrg(orgId, (tx) => acceptMail(tx, { orderId, recipient }));
  await withRetries(note, { stopping, isFinal: () => false });
  log.info({ orgId, event: order.type, orderId, messageId }, 'mail sent');
  return { status: 'sent' };
}

/** Only whoever reads the mail gets this link, so it proves the address. Null where a provider proves it. */
async function inviteUrlOf({ config, system }: FunctionDeps, order: MailOrder | undefined): Promise<string | null> {
  if (order?.type !== 'invite.mail.requested' || signInModeOf(config) !== 'accounts') return null;
  const token = await makeInviteLink(system, { inviteId: order.data.inviteId, isMailed: true });
  return `${signInOriginOf(config)}/account/links/${token}`;
}

function conclude(outcomes: Outcome[]): { sent: number } {
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'failed' ? [outcome.reason] : []));
  if (reasons.length > 0) {
    const [first = ''] = reasons;
    const message = `${reasons.length} of ${outcomes.length} mails were not delivered. ${first}`;
    throw poison('MAIL_NOT_DELIVERED', message);
  }
  return { sent: outcomes.filter(({ status }) => status === 'sent').length };
}

function toFailed(error: unknown): Outcome {
  return { status: 'failed', reason: error instanceof Error ? error.message : String(error) };
}
