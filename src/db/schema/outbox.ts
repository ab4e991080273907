import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, instant, orgId } from './columns.ts';

/**
 * Events, written in the transaction that they speak of and handed to the pipeline engine afterwards, with the row's
 * id as event id. `dedupeKey` makes writing one twice impossible.
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
    dispatchedAt: instant('dispatched_at'),
  },
  (t) => [
    uniqueIndex('outbox_dedupe').on(t.orgId, t.dedupeKey),
    index('outbox_waiting')
      .on(t.id)
      .where(sql`dispatched_at is null`),
    index('outbox_org').on(t.orgId, t.type, t.id),
  ],
);
