import { and, eq, isNull, sql } from 'drizzle-orm';
import { byId } from '../../db/keys.ts';
import type { OrgTx } from '../../db/scope.ts';
import { createStatements } from '../../db/driver/statements.ts';
import { outbox } from '../../db/schema/index.ts';
import { newId } from '../../lib/ids.ts';
import { activeTraceparent } from '../../lib/tracing.ts';
import type { EventPayload, EventType } from './payloads.ts';
import { fanOut, selectSubscribers } from './fan-out.ts';
import { webhookEvents, type WebhookEvent } from './payloads.ts';

export { type EventPayload, eventPayloads, type EventType } from './payloads.ts';

const ask = createStatements();

export type NewEvent = {
  [T in EventType]: { id?: string; type: T; data: EventPayload<T>; dedupeKey?: string };
}[EventType];

/** A further event of this type with the same `key` in the organization is dropped. */
export function newEvent<T extends EventType>(type: T, data: EventPayload<T>, key?: string) {
  return { type, data, ...(key !== undefined && { dedupeKey: `${type}:${key}` }) };
}

/**
 * Writes events in the transaction that they report, with their deliveries to subscribed endpoints; the pipeline sends
 * them after the commit. A second event with the same `dedupeKey` in the organization is dropped.
 */
export async function emitEvents(tx: OrgTx, events: NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const traceparent = activeTraceparent();
  const rows = events.map(({ id, type, data, dedupeKey }) => ({
    id: id ?? newId('event'),
    orgId: tx.orgId,
    type,
    data,
    dedupeKey: dedupeKey ?? null,
    traceparent,
  }));
  const announced = rows.filter(isAnnounced);
  const types = [...new Set(announced.map(({ type }) => type))];
  const [written, subscribers] = await Promise.all([
    tx.insert(outbox).values(rows).onConflictDoNothing().returning({ id: outbox.id, at: outbox.createdAt }),
    types.length > 0 ? selectSubscribers(tx, types) : [],
  ]);
  if (subscribers.length === 0) return;
  const writtenAt = new Map(written.map(({ id, at }) => [id, at]));
  const news = announced.flatMap(({ id, type, data }) => {
    const at = writtenAt.get(id);
    return at ? [{ id, type, data, at }] : [];
  });
  await fanOut(tx, news, subscribers);
}

/** Closes an order, in the transaction that has done the last of its work, so that it is not announced again. */
export async function completeOrder(tx: OrgTx, id: string): Promise<void> {
  await ask(tx, {
    values: { orgId: tx.orgId, id },
    build: (db, given) =>
      db
        .update(outbox)
        .set({ doneAt: sql`now()`, dueAt: null, dispatchedAt: sql`coalesce(${outbox.dispatchedAt}, now())` })
        .where(and(eq(outbox.orgId, given.orgId), eq(outbox.id, given.id), isNull(outbox.doneAt)))
        .returning({ id: outbox.id }),
  });
}

/** An order as it was written. Undefined if it has been cleaned up, long after it was done. */
export async function readOrder(tx: OrgTx, id: string) {
  const [row] = await tx
    .select({ type: outbox.type, data: outbox.data, createdAt: outbox.createdAt })
    .from(outbox)
    .where(byId(tx, outbox, id));
  return row;
}

/** A firing is only sent if its rule says so. */
function isAnnounced({ type, data }: { type: EventType; data: NewEvent['data'] }): boolean {
  if ('actions' in data && !data.actions.includes('webhook')) return false;
  return webhookEvents.includes(type as WebhookEvent);
}
