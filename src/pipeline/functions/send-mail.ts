import { createHash } from 'node:crypto';
import type { FailureEventPayload, Inngest } from 'inngest';
import { z } from 'zod';
import { baseUrlOf } from '../../config.ts';
import { composeMail, listRecipients } from '../../domain/mail/service.ts';
import { MailOrder } from '../../domain/mail/schemas.ts';
import { acceptMail, claimMail } from '../../domain/mail/sending.ts';
import { completeOrder } from '../../domain/events.ts';
import type { OrgTx } from '../../db/scope.ts';
import { countDelivery, type CountedDelivery } from '../../lib/metrics.ts';
import { MailError } from '../../providers/mail/interface.ts';
import { appId, triggers } from '../client.ts';
import type { FunctionDeps } from '../dependencies.ts';
import { withRetries } from '../with-retries.ts';
import { poison, retryAfter, toStepError } from '../faults.ts';
import { giveUp, orderIdOf, settle } from '../orders.ts';

/** With the embedded engine about three hours, with Inngest a day: mail servers that are away come back. */
const retries = 20;

/** Longer than a server may take to accept a mail. Only a run that has been announced again ever waits for it. */
const claimMs = 5 * 60_000;

const MailJob = z.object({ orderId: z.string(), ts: z.number(), orgId: z.string(), order: MailOrder });
type MailJob = z.infer<typeof MailJob>;

type Outcome = { status: 'sent' | 'void' } | { status: 'failed'; reason: string };

/**
 * Tells people of an event by mail. Each recipient is a step of their own, so that one who cannot be reached keeps no
 * mail from the others; steps know them by pseudonym, and read the address when they send.
 */
export function createSendMail(client: Inngest, deps: FunctionDeps) {
  const publicUrl = baseUrlOf(deps.config);
  return client.createFunction(
    {
      id: 'send-mail',
      triggers: [triggers.alertTriggered, triggers.inviteMail, triggers.budgetReached, triggers.webhookDisabledMail],
      retries,
      concurrency: [{ key: 'event.data.orgId', limit: 2 }],
      onFailure: async ({ event, error }) => {
        const { orgId, order } = toJob((event.data as FailureEventPayload['data']).event);
        await giveUp(deps.db, event);
        deps.log.warn({ orgId, event: order.type, reason: error.message }, 'mail was not delivered');
      },
    },
    async ({ event, step, runId }) => {
      const job = toJob(event);
      if (job.order.type === 'alert.triggered' && !job.order.data.actions.includes('email')) return { sent: 0 };
      const list = (tx: OrgTx) => listRecipients(tx, job.order, publicUrl);
      const recipients = await step.run('recipients', () => settle(deps.db, job, list, ({ length }) => length === 0));
      if (recipients.length === 0) return { sent: 0 };
      const outcomes = await Promise.all(
        recipients.map((recipient) =>
          step.run(`send:${recipient}`, () => send(deps, job, { recipient, publicUrl, runId })).catch(toFailed),
        ),
      );
      const concluded = conclude(outcomes);
      await step.run('done', () => deps.db.withOrg(job.orgId, (tx) => completeOrder(tx, job.orderId)));
      return concluded;
    },
  );
}

type Sending = { recipient: string; publicUrl: string; runId: string };

/**
 * A mail that a server has accepted is not sent again, however often it is ordered. Only a crash between its answer and
 * our note of it makes a second one, under the same id.
 */
async function send(
  { db, mailer, log, stopping }: FunctionDeps,
  { orderId, ts, orgId, order }: MailJob,
  { runId, ...to }: Sending,
): Promise<Outcome> {
  const { recipient } = to;
  const { mail, claim } = await db.withOrg(orgId, async (tx) => {
    const composed = await composeMail(tx, order, to);
    return { mail: composed, claim: composed && (await claimMail(tx, { orderId, recipient }, runId, claimMs)) };
  });
  if (!mail) return { status: 'void' };
  if (claim === 'accepted') return { status: 'sent' };
  if (claim === 'taken') throw retryAfter(claimMs, { code: 'MAIL_UNDER_WAY', message: 'Another run is sending it.' });
  const digest = createHash('sha256').update(`${orderId}:${recipient}`).digest('hex').slice(0, 32);
  const messageId = `<${digest}@${new URL(to.publicUrl).hostname}>`;
  const from = performance.now();
  const count = (outcome: CountedDelivery['outcome']) =>
    countDelivery({ channel: 'mail', outcome, seconds: (performance.now() - from) / 1000 });
  try {
    await mailer.send({ ...mail, messageId, date: new Date(ts) });
    count('delivered');
  } catch (error) {
    count(error instanceof MailError && !error.retryable ? 'given_up' : 'failed');
    throw toStepError(error);
  }
  const note = () => db.withOrg(orgId, (tx) => acceptMail(tx, { orderId, recipient }));
  await withRetries(note, () => stopping.aborted);
  log.info({ orgId, event: order.type, orderId, messageId }, 'mail sent');
  return { status: 'sent' };
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

type AnyEvent = { id?: string | undefined; ts?: number | undefined; name: string; data?: unknown };

function toJob(event: AnyEvent): MailJob {
  const { ts, name, data } = event;
  const { orgId } = z.object({ orgId: z.string() }).parse(data);
  const order = { type: name.slice(appId.length + 1), data };
  return MailJob.parse({ orderId: orderIdOf(event), ts, orgId, order });
}
