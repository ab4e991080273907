import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, instant, orgId } from './columns.ts';

/**
 * Events, written in the transaction that they report and handed to the pipeline engine afterwards. Events that cause
 * work are orders: open (`dueAt`) until their effect has committed (`doneAt`), and announced again if that takes too
 * long. `dedupeKey` keeps an event from being written twice.
 */
export const outbox = pgTable(
  'outbox',
  {
    id: text('id').primaryKey(),
    orgId: orgId(),
    type: text('type').notNull(),
    data: jsonb('data').$type<Record<string, unknown>>().notNull(),
    dedupeKey: text('dedupe_key'),
    /** Trace context of the transaction that wrote the event (W3C Trace Context): the pipeline continues the trace. */
    traceparent: text('traceparent'),
    createdAt: createdAt(),
    /** When it was last handed over; null while it waits. */
    dispatchedAt: instant('dispatched_at'),
    /** How often it was announced again. Each announcement has its own event id, the first one the row's. */
    announcements: integer('announcements').notNull().default(0),
    /** When an open order is announced again. */
    dueAt: instant('due_at'),
    doneAt: instant('done_at'),
  },
  (t) => [
    uniqueIndex('outbox_dedupe').on(t.orgId, t.dedupeKey),
    index('outbox_waiting')
      .on(t.id)
      .where(sql`dispatched_at is null`),
    index('outbox_due')
      .on(t.dueAt)
      .where(sql`due_at is not null`),
    index('outbox_org').on(t.orgId, t.type, t.id),
  ],
);
