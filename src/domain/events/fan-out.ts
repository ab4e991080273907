import { and, arrayOverlaps, asc, eq, sql } from 'drizzle-orm';
import type { OrgTx } from '../../db/scope.ts';
import { outbox, webhookDeliveries, webhooks } from '../../db/schema/index.ts';
import { newId } from '../../lib/ids.ts';
import { activeTraceparent } from '../../lib/tracing.ts';

export type Subscriber = { id: string; events: string[] };
export type Announcement = { id: string; type: string; data: object; at: Date };

const rowsMax = 500;

/**
 * Enabled endpoints that subscribe to one of the types. Locked against deletion until the transaction ends, as a
 * delivery to a deleted one would fail it. The lock does not block changes to an endpoint.
 */
export function selectSubscribers(tx: OrgTx, types: string[]): Promise<Subscriber[]> {
  return tx
    .select({ id: webhooks.id, events: webhooks.events })
    .from(webhooks)
    .where(and(eq(webhooks.orgId, tx.orgId), webhooks.enabled, arrayOverlaps(webhooks.events, types)))
    .orderBy(asc(webhooks.id))
    .for('key share');
}

/** Creates a delivery of each event to each subscribed endpoint, in the transaction that the event reports. */
export async function fanOut(tx: OrgTx, events: Announcement[], subscribers: Subscriber[]): Promise<void> {
  const wanted = events.flatMap((event) => {
    const webhookIds = subscribers.filter(({ events }) => events.includes(event.type)).map(({ id }) => id);
    return webhookIds.length > 0 ? deliveriesOf(event, webhookIds) : [];
  });
  await addDeliveries(tx, wanted);
}

type NewDelivery = Omit<typeof webhookDeliveries.$inferInsert, 'orgId'> & {
  /** The record that the event is about, if any. */
  recordId: string | null;
};

/** The body is serialized once, so that every attempt sends the same bytes. */
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

/** Inserts deliveries and the orders to carry them out. */
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

/** The record of an existing delivery. */
export const deliveredRecordId = sql<string | null>`${webhookDeliveries.body}::json -> 'data' ->> 'recordId'`;

type Ordered = Pick<NewDelivery, 'id' | 'webhookId' | 'requestId' | 'recordId'>;

/** The event that starts a round of attempts. It contains the record id, so that the run can be found by it. */
export function deliveryRequest({ id, webhookId, requestId, recordId }: Ordered) {
  const data = { deliveryId: id, webhookId, requestId, ...(recordId !== null && { recordId }) };
  return { id: requestId, type: 'webhook.delivery.requested' as const, data };
}
