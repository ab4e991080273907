import type { Inngest } from 'inngest';
import type { OrgTx } from '../../db/scope.ts';
import {
  awaitKey,
  isVoid,
  recordAttempt,
  refuseDisabled,
  type Progress,
  type Round,
  type Task,
  selectTask,
  keyDelayMs,
  openSecrets,
} from '../../domain/webhooks/service.ts';
import { testEvent } from '../../domain/webhooks/schemas.ts';
import { createAddressGuard, type AddressGuard } from '../../lib/address-guard.ts';
import { countDelivery } from '../../lib/metrics.ts';
import { withSpan } from '../../lib/tracing.ts';
import { createSemaphore, type Semaphore } from '../../lib/semaphore.ts';
import { appId, trigger } from '../client.ts';
import { settle, type Order } from '../orders.ts';
import type { FunctionDeps } from '../dependencies.ts';
import { sendWebhook } from '../send-webhook.ts';
import { noteDown } from '../base/with-retries.ts';

const id = 'deliver-webhook';
export const deliverWebhookId = `${appId}-${id}`;

/** Retries of the step when the database is down; failures of the endpoint follow the schedule. */
const retries = 4;
/** A hanging endpoint occupies this many slots, however many deliveries wait for it. */
const perEndpoint = 4;
const earlyMsMax = 1000;
/** Share of the read and write connections that attempts may use: user requests need the others. */
const share = 0.5;

/** One round of attempts to send one event to one endpoint, until one succeeds or the schedule ends. */
export function createDeliverWebhook(client: Inngest, deps: FunctionDeps) {
  const guard = createAddressGuard(deps.config.OUTBOUND_ALLOW);
  const atOnce = Math.max(1, Math.floor(deps.config.DATABASE_POOL_SIZE * share));
  const slots = { read: createSemaphore(atOnce), write: createSemaphore(atOnce) };
  return client.createFunction(
    {
      id,
      triggers: [trigger('webhook.delivery.requested')],
      retries,
      concurrency: [{ key: 'event.data.webhookId', limit: perEndpoint }],
    },
    async ({ event, step }) => {
      const { orgId, deliveryId, webhookId, requestId } = event.data;
      const round = { deliveryId, webhookId, requestId };
      for (let turn = 1; ; turn += 1) {
        const progress = await step.run(`attempt-${turn}`, () =>
          attempt({ ...deps, guard, slots, turn }, orgId, round),
        );
        const { nextAttemptAt, ...ended } = progress;
        if (nextAttemptAt === null) return ended;
        await step.sleepUntil(`wait-${turn}`, nextAttemptAt);
      }
    },
  );
}

type AttemptDeps = FunctionDeps & { guard: AddressGuard; slots: Record<'read' | 'write', Semaphore>; turn: number };

async function attempt(deps: AttemptDeps, orgId: string, round: Round): Promise<Progress> {
  const { db, log, guard, slots, turn, leaving, stopping } = deps;
  const order: Order = { orgId, orderId: round.requestId };
  const task = await slots.read(() => db.readOrg(orgId, (tx) => selectTask(tx, round)));
  if (!task) return slots.write(() => settle(db, order, async () => isVoid));
  const { nextAttemptAt, enabled, eventType } = task;
  // The attempt of this step was recorded, and then the process died.
  if (nextAttemptAt && nextAttemptAt.getTime() - Date.now() > earlyMsMax) {
    return { outcome: 'waiting', nextAttemptAt: nextAttemptAt.toISOString() };
  }
  if (!enabled && eventType !== testEvent) {
    return slots.write(() => settle(db, order, (tx) => refuseDisabled(tx, round, task)));
  }
  const { timeoutMs, lookup, delaysMs } = deps.webhooks ?? {};
  const secrets = secretsOf(deps, round.webhookId, task);
  if (secrets === null)
    return slots.write(() => db.withOrg(orgId, (tx) => awaitKey(tx, round, keyDelayMs(turn, delaysMs))));
  const { webhookId, deliveryId } = round;
  const onUnreachable = (err: Error): void =>
    log.info({ err, orgId, webhookId, deliveryId }, 'an endpoint cannot be reached');
  leaving.throwIfAborted();
  const attempted = await withSpan({ name: 'webhook deliver', kind: 'client' }, () =>
    sendWebhook({ ...task, secrets }, { guard, timeoutMs, lookup, signal: stopping, onUnreachable }),
  );
  const record = (tx: OrgTx) => recordAttempt(tx, { round, task, attempted }, delaysMs);
  const isOver = (made: Progress) => made.nextAttemptAt === null;
  // A successful attempt always ends its round, without another check.
  const note = (isLast?: typeof isOver) => slots.write(() => settle(db, order, record, isLast));
  const progress = attempted.error === null ? await noteDown(() => note(), stopping) : await note(isOver);
  const failed = progress.nextAttemptAt === null ? 'given_up' : 'failed';
  const outcome = attempted.error === null ? 'delivered' : failed;
  countDelivery({ channel: 'webhook', outcome, seconds: attempted.durationMs / 1000 });
  return progress;
}

/** The secrets in clear text. Null if no key opens them: then nothing is sent, as it could not be signed. */
function secretsOf({ secrets, log }: FunctionDeps, id: string, task: Task): string[] | null {
  try {
    return openSecrets(secrets, { ...task, id }, new Date()).map(({ secret }) => secret);
  } catch (error) {
    log.error({ err: error, webhookId: id }, 'the secret of a webhook cannot be opened: is SECRETS_KEY the right one?');
    return null;
  }
}
