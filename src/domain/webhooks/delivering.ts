import type { OrgTx } from '../../db/scope.ts';
import type { StoredAttempt } from '../../db/schema/index.ts';
import { newId } from '../../lib/ids.ts';
import { newEvent, completeOrder, emitEvents } from '../events/service.ts';
import * as queries from './delivering-queries.ts';
import { deliveryRequest } from '../events/fan-out.ts';
import { lockWebhook } from './queries.ts';
import { nextDelayMs } from './schedule.ts';
import { testEvent } from './schemas.ts';

/** The outcome of a request, and the wait that its answer asked for. */
export type Attempted = Omit<StoredAttempt, 'number'> & { retryAfterMs?: number | undefined };

/** The attempt as shown by its run. `nextAttemptAt` is null if the round is over. */
export type Progress = {
  outcome: 'succeeded' | 'waiting' | 'failed' | 'void';
  nextAttemptAt: string | null;
  /** Status of the endpoint's answer; null if there was none. */
  httpStatus?: number | null;
  /** Why the attempt failed, as shown to users. */
  error?: string | null;
};

export const isVoid: Progress = { outcome: 'void', nextAttemptAt: null };

const gone = 410;

type Made = { round: queries.Round; task: queries.Task; attempted: Attempted };

/**
 * Records an attempt and decides what follows: nothing, another attempt, or giving up, which disables the endpoint and
 * notifies the owners. A test has a single attempt, whose failure disables nothing.
 */
export async function recordAttempt(
  tx: OrgTx,
  { round, task, attempted }: Made,
  delaysMs?: readonly number[],
): Promise<Progress> {
  const { retryAfterMs, ...answered } = attempted;
  const answer = { httpStatus: answered.responseStatus, error: answered.error };
  const attempt = { ...answered, number: task.attemptNumber };
  const place = { ...round, tries: task.tries };
  if (attempted.error === null) {
    const isSaved = await queries.saveAttempt(tx, place, { status: 'succeeded', attempt, nextAttemptAt: null });
    return isSaved ? { outcome: 'succeeded', nextAttemptAt: null, ...answer } : isVoid;
  }
  const isTest = task.eventType === testEvent;
  const isGone = attempted.responseStatus === gone;
  const delayMs =
    isTest || isGone ? null : nextDelayMs({ tries: task.tries + 1, retryAfterMs, ...(delaysMs && { delaysMs }) });
  if (delayMs !== null) {
    const nextAttemptAt = new Date(Date.now() + delayMs);
    const isSaved = await queries.saveAttempt(tx, place, { status: 'pending', attempt, nextAttemptAt });
    return isSaved ? { outcome: 'waiting', nextAttemptAt: nextAttemptAt.toISOString(), ...answer } : isVoid;
  }
  const disabling = isGone ? 'gone' : isTest ? null : 'failing';
  // Before changing the delivery: deleting the endpoint takes the locks in this order.
  if (disabling) await lockWebhook(tx, round.webhookId);
  const isSaved = await queries.saveAttempt(tx, place, { status: 'failed', attempt, nextAttemptAt: null });
  if (isSaved && disabling) await disable(tx, round.webhookId, disabling);
  return isSaved ? { outcome: 'failed', nextAttemptAt: null, ...answer } : isVoid;
}

async function disable(tx: OrgTx, webhookId: string, reason: 'failing' | 'gone'): Promise<void> {
  if (!(await queries.disableWebhook(tx, webhookId, reason))) return;
  await emitEvents(tx, [newEvent('webhook.disabled.mail.requested', { orgId: tx.orgId, webhookId })]);
}

/** Postpones a delivery that cannot be signed. It is not the endpoint's fault, so it costs no attempt. */
export async function awaitKey(tx: OrgTx, round: queries.Round, delayMs: number): Promise<Progress> {
  const nextAttemptAt = new Date(Date.now() + delayMs);
  const isPostponed = await queries.postponeAttempt(tx, round, nextAttemptAt);
  return isPostponed ? { outcome: 'waiting', nextAttemptAt: nextAttemptAt.toISOString() } : isVoid;
}

/** Ends a delivery that is due while its endpoint is disabled. */
export async function refuseDisabled(tx: OrgTx, round: queries.Round, task: queries.Task): Promise<Progress> {
  const attempt = {
    number: task.attemptNumber,
    startedAt: new Date().toISOString(),
    durationMs: 0,
    responseStatus: null,
    responseBody: null,
    error: 'The webhook was disabled, so nothing was sent.',
  };
  const place = { ...round, tries: task.tries };
  const isSaved = await queries.saveAttempt(tx, place, { status: 'failed', attempt, nextAttemptAt: null });
  return isSaved ? { outcome: 'failed', nextAttemptAt: null, error: attempt.error } : isVoid;
}

/** Orders a stalled delivery again, replacing its current order. It continues where it was. */
export async function reannounceDelivery(tx: OrgTx, round: queries.Round): Promise<void> {
  const { deliveryId: id, webhookId } = round;
  const requestId = newId('event');
  const replaced = await queries.replaceRound(tx, round, requestId);
  if (!replaced) return;
  await completeOrder(tx, round.requestId);
  await emitEvents(tx, [deliveryRequest({ id, webhookId, requestId, ...replaced })]);
}
