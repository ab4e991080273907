import { createHash } from 'node:crypto';
import type { FailureEventPayload, Inngest } from 'inngest';
import { z } from 'zod';
import { baseUrlOf } from '../../config.ts';
import { composeMail, listRecipients } from '../../domain/mail/service.ts';
import { MailOrder } from '../../domain/mail/schemas.ts';
import { countDelivery, type CountedDelivery } from '../../lib/metrics.ts';
import { MailError } from '../../providers/mail/interface.ts';
import { appId, triggers } from '../client.ts';
import type { FunctionDeps } from '../dependencies.ts';
import { poison, toStepError } from '../faults.ts';

/** With the embedded engine about three hours, with Inngest a day: mail servers that are away come back. */
const retries = 20;

const MailJob = z.object({ id: z.string(), ts: z.number(), orgId: z.string(), order: MailOrder });
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
        deps.log.warn({ orgId, event: order.type, reason: error.message }, 'mail was not delivered');
      },
    },
    async ({ event, step }) => {
      const job = toJob(event);
      if (job.order.type === 'alert.triggered' && !job.order.data.actions.includes('email')) return { sent: 0 };
      const recipients = await step.run('recipients', () =>
        deps.db.withOrg(job.orgId, (tx) => listRecipients(tx, job.order, publicUrl)),
      );
      const outcomes = await Promise.all(
        recipients.map((recipient) =>
          step.run(`send:${recipient}`, () => send(deps, job, { recipient, publicUrl })).catch(toFailed),
        ),
      );
      return conclude(outcomes);
    },
  );
}

/** An address may be sent the same mail twice, when a crash comes between sending and noting it: the id is the same then. */
async function send(
  { db, mailer, log }: FunctionDeps,
  { id, ts, orgId, order }: MailJob,
  to: { recipient: string; publicUrl: string },
): Promise<Outcome> {
  const mail = await db.withOrg(orgId, (tx) => composeMail(tx, order, to));
  if (!mail) return { status: 'void' };
  const digest = createHash('sha256').update(`${id}:${to.recipient}`).digest('hex').slice(0, 32);
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
  log.info({ orgId, event: order.type, eventId: id, messageId }, 'mail sent');
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

function toJob({ id, ts, name, data }: AnyEvent): MailJob {
  const { orgId } = z.object({ orgId: z.string() }).parse(data);
  return MailJob.parse({ id, ts, orgId, order: { type: name.slice(appId.length + 1), data } });
}
