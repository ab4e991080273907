import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, instant, orgId } from './columns.ts';

/**
 * Events, written in the transaction that they speak of and handed to the pipeline engine afterwards. From many of them
 * something follows: these are orders, and open (`dueAt`) until what was ordered has committed (`doneAt`). One that is
 * not done in time is announced again. `dedupeKey` makes writing one twice impossible.
 */
export const outbox = pgTable(
  'outbox',
  {
    id: text('id').primaryKey(),
    orgId: orgId(),
    type: text('type').notNull(),
    data: jsonb('data').$type<Record<string, unknown>>().notNull(),
    dedupeKey: text('dedupe_key'),
    /** Of what wrote the event, where that is traced (W3C Trace Context): the pipeline goes on in the same trace. */
    traceparent: text('traceparent'),
    createdAt: createdAt(),
    /** When it was last handed on; null while it waits for that. */
    dispatchedAt: instant('dispatched_at'),
    /** How often it was announced again. Each announcement has an event id of its own, the first one the row's. */
    announcements: integer('announcements').notNull().default(0),
    /** While the order is with the engine: when it is announced again. */
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
