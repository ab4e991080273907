import { and, arrayOverlaps, asc, eq, sql } from 'drizzle-orm';
import type { OrgTx } from '../../db/scope.ts';
import { outbox, webhookDeliveries, webhooks } from '../../db/schema/index.ts';
import { newId } from '../../lib/ids.ts';
import { activeTraceparent } from '../../lib/tracing.ts';

export type Subscriber = { id: string; events: string[] };
export type Announcement = { id: string; type: string; data: object; at: Date };

const rowsMax = 500;

/**
 * Enabled endpoints that want one of the types. Locked against being deleted until the transaction ends: a delivery to
 * one that is gone would make it fail. Whoever fans out must not hold up whoever changes an endpoint, and does not.
 */
export function selectSubscribers(tx: OrgTx, types: string[]): Promise<Subscriber[]> {
  return tx
    .select({ id: webhooks.id, events: webhooks.events })
    .from(webhooks)
    .where(and(eq(webhooks.orgId, tx.orgId), webhooks.enabled, arrayOverlaps(webhooks.events, types)))
    .orderBy(asc(webhooks.id))
    .for('key share');
}

/** A delivery of each event to each endpoint that wants it, in the transaction that the event speaks of. */
export async function fanOut(tx: OrgTx, events: Announcement[], subscribers: Subscriber[]): Promise<void> {
  const wanted = events.flatMap((event) => {
    const webhookIds = subscribers.filter(({ events }) => events.includes(event.type)).map(({ id }) => id);
    return webhookIds.length > 0 ? deliveriesOf(event, webhookIds) : [];
  });
  await addDeliveries(tx, wanted);
}

type NewDelivery = Omit<typeof webhookDeliveries.$inferInsert, 'orgId'> & {
  /** The record that the event is about; most are about one. */
  recordId: string | null;
};

/** What is sent is written down once, so that every attempt sends the same bytes. */
export function deliveriesOf({ id: eventId, type, data, at }: Announcement, webhookIds: string[]): NewDelivery[] {
  const body = JSON.stringify({ type, timestamp: at.toISOString(), data });
  const recordId = 'recordId' in data && typeof data.recordId === 'string' ? data.recordId : null;
  return webhookIds.map((webhookId) => ({
    id: newId('delivery'),
    webhookId,
    eventId,
    eventType: type,
    body,
    requestId: newId('event'),
    nextAttemptAt: at,
    recordId,
  }));
}

/** Adds deliveries, and the orders that set the pipeline to work on them. */
export async function addDeliveries(tx: OrgTx, deliveries: NewDelivery[]): Promise<void> {
  const { orgId } = tx;
  const traceparent = activeTraceparent();
  for (let start = 0; start < deliveries.length; start += rowsMax) {
    const part = deliveries.slice(start, start + rowsMax);
    await Promise.all([
      tx.insert(webhookDeliveries).values(part.map(({ recordId: _recordId, ...delivery }) => ({ ...delivery, orgId }))),
      tx.insert(outbox).values(part.map((delivery) => ({ ...deliveryRequest(delivery), orgId, traceparent }))),
    ]);
  }
}

/** The record of a delivery that is there already. */
export const deliveredRecordId = sql<string | null>`${webhookDeliveries.body}::json -> 'data' ->> 'recordId'`;

type Ordered = Pick<NewDelivery, 'id' | 'webhookId' | 'requestId' | 'recordId'>;

/** The event that starts a round of attempts. It names the call, so that whoever looks for it finds the run. */
export function deliveryRequest({ id, webhookId, requestId, recordId }: Ordered) {
  const data = { deliveryId: id, webhookId, requestId, ...(recordId !== null && { recordId }) };
  return { id: requestId, type: 'webhook.delivery.requested' as const, data };
}
