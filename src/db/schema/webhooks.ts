import { sql } from 'drizzle-orm';
import { boolean, foreignKey, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt, instant, orgId, updatedAt } from './columns.ts';
import { orgs } from './orgs.ts';

/** Sealed. A replaced one keeps signing until it expires. */
export type StoredSecret = { secret: string; expiresAt: string | null };

/** One request to an endpoint and its outcome. */
export type StoredAttempt = {
  number: number;
  startedAt: string;
  durationMs: number;
  responseStatus: number | null;
  /** The beginning of the body. */
  responseBody: string | null;
  error: string | null;
};

/** Addresses that events are sent to. */
export const webhooks = pgTable(
  'webhooks',
  {
    orgId: orgId().references(() => orgs.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    url: text('url').notNull(),
    description: text('description'),
    events: text('events').array().notNull(),
    enabled: boolean('enabled').notNull(),
    /** Why the service disabled it; null if a person did, or if it is enabled. */
    disabledReason: text('disabled_reason', { enum: ['failing', 'gone'] }),
    disabledAt: instant('disabled_at'),
    /** The current one first. */
    secrets: jsonb('secrets').$type<StoredSecret[]>().notNull(),
    /** The key that sealed all of them; null if they are in clear text, as earlier releases stored them. */
    sealedBy: text('sealed_by'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [primaryKey({ columns: [t.orgId, t.id] }), index('webhooks_created').on(t.orgId, t.createdAt, t.id)],
);

/** One event on its way to one endpoint. All attempts and rounds belong to the same delivery. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    orgId: orgId(),
    id: text('id').notNull(),
    webhookId: text('webhook_id').notNull(),
    eventId: text('event_id').notNull(),
    eventType: text('event_type').notNull(),
    /** The exact bytes to send. */
    body: text('body').notNull(),
    status: text('status', { enum: ['pending', 'succeeded', 'failed'] })
      .notNull()
      .default('pending'),
    /** The event that ordered the current round; runs started by others do nothing. */
    requestId: text('request_id').notNull(),
    /** Attempts in the current round. */
    tries: integer('tries').notNull().default(0),
    /** The latest attempts of all rounds. */
    attempts: jsonb('attempts')
      .$type<StoredAttempt[]>()
      .notNull()
      .default(sql`'[]'::jsonb`),
    /** Null once it has ended. */
    nextAttemptAt: instant('next_attempt_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.id] }),
    foreignKey({ columns: [t.orgId, t.webhookId], foreignColumns: [webhooks.orgId, webhooks.id] }).onDelete('cascade'),
    index('webhook_deliveries_created').on(t.orgId, t.webhookId, t.createdAt, t.id),
    index('webhook_deliveries_status_created').on(t.orgId, t.webhookId, t.status, t.createdAt, t.id),
    index('webhook_deliveries_due')
      .on(t.nextAttemptAt)
      .where(sql`status = 'pending'`),
    index('webhook_deliveries_age').on(t.createdAt),
  ],
);
