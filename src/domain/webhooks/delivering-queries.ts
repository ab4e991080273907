import { and, eq, sql } from 'drizzle-orm';
import { byId } from '../../db/keys.ts';
import type { OrgTx } from '../../db/scope.ts';
import { webhookDeliveries, webhooks, type StoredAttempt } from '../../db/schema/index.ts';
import { deliveredRecordId } from '../events/fan-out.ts';

/** A round of attempts, as its run receives it. */
export type Round = { deliveryId: string; webhookId: string; requestId: string };

const attemptsKept = 20;

/** Undefined if the round is void: the delivery has ended or was ordered again, or its endpoint was deleted. */
export async function selectTask(tx: OrgTx, round: Round) {
  const [row] = await tx
    .select({
      eventId: webhookDeliveries.eventId,
      eventType: webhookDeliveries.eventType,
      body: webhookDeliveries.body,
      tries: webhookDeliveries.tries,
      nextAttemptAt: webhookDeliveries.nextAttemptAt,
      attemptNumber: sql<number>`coalesce((${webhookDeliveries.attempts} -> -1 ->> 'number')::int, 0) + 1`,
      url: webhooks.url,
      enabled: webhooks.enabled,
      secrets: webhooks.secrets,
      sealedBy: webhooks.sealedBy,
    })
    .from(webhookDeliveries)
    .innerJoin(webhooks, and(eq(webhooks.orgId, tx.orgId), eq(webhooks.id, webhookDeliveries.webhookId)))
    .where(isRound(tx, round));
  return row;
}

export type Task = NonNullable<Awaited<ReturnType<typeof selectTask>>>;

type Result = {
  status: 'pending' | 'succeeded' | 'failed';
  attempt: StoredAttempt;
  nextAttemptAt: Date | null;
};

/** Adds an attempt to the round. False if the round is void, or the attempt exists. */
export async function saveAttempt(
  tx: OrgTx,
  { tries, ...round }: Round & { tries: number },
  { status, attempt, nextAttemptAt }: Result,
): Promise<boolean> {
  const { attempts } = webhookDeliveries;
  const kept = sql`case when jsonb_array_length(${attempts}) >= ${attemptsKept} then ${attempts} - 0 else ${attempts} end`;
  const { count } = await tx
    .update(webhookDeliveries)
    .set({
      status,
      nextAttemptAt,
      tries: tries + 1,
      attempts: sql`${kept} || ${JSON.stringify([attempt])}::text::jsonb`,
    })
    .where(and(isRound(tx, round), eq(webhookDeliveries.tries, tries)));
  return count > 0;
}

/** Postpones the next attempt. False if the round is void. */
export async function postponeAttempt(tx: OrgTx, round: Round, nextAttemptAt: Date): Promise<boolean> {
  const { count } = await tx.update(webhookDeliveries).set({ nextAttemptAt }).where(isRound(tx, round));
  return count > 0;
}

/** Starts a new round of a pending delivery. Undefined if it has ended, or a new round has started meanwhile. */
export async function replaceRound(tx: OrgTx, round: Round, requestId: string) {
  const [row] = await tx
    .update(webhookDeliveries)
    .set({ requestId })
    .where(isRound(tx, round))
    .returning({ recordId: deliveredRecordId });
  return row;
}

function isRound(tx: OrgTx, { deliveryId, requestId }: Round) {
  return and(
    eq(webhookDeliveries.orgId, tx.orgId),
    eq(webhookDeliveries.id, deliveryId),
    eq(webhookDeliveries.requestId, requestId),
    eq(webhookDeliveries.status, 'pending'),
  );
}

/** False if it is disabled already. */
export async function disableWebhook(tx: OrgTx, id: string, reason: 'failing' | 'gone'): Promise<boolean> {
  const now = new Date();
  const { count } = await tx
    .update(webhooks)
    .set({ enabled: false, disabledReason: reason, disabledAt: now, updatedAt: now })
    .where(and(byId(tx, webhooks, id), webhooks.enabled));
  return count > 0;
}
