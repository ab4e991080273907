import { sql } from 'drizzle-orm';
import { boolean, foreignKey, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt, instant, orgId, updatedAt } from './columns.ts';
import { orgs } from './orgs.ts';

/** Sealed. One that has been replaced signs on until it expires. */
export type StoredSecret = { secret: string; expiresAt: string | null };

/** One request to an endpoint and what came of it. */
export type StoredAttempt = {
  number: number;
  startedAt: string;
  durationMs: number;
  responseStatus: number | null;
  /** The beginning. */
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
    /** Why the service has disabled it; null where a person has, or nobody. */
    disabledReason: text('disabled_reason', { enum: ['failing', 'gone'] }),
    disabledAt: instant('disabled_at'),
    /** The present one first. */
    secrets: jsonb('secrets').$type<StoredSecret[]>().notNull(),
    /** The key that sealed all of them; null where they lie in clear, as releases before have stored them. */
    sealedBy: text('sealed_by'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [primaryKey({ columns: [t.orgId, t.id] }), index('webhooks_created').on(t.orgId, t.createdAt, t.id)],
);

/** One event on its way to one endpoint. Attempts and further rounds of them are of the same delivery. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    orgId: orgId(),
    id: text('id').notNull(),
    webhookId: text('webhook_id').notNull(),
    eventId: text('event_id').notNull(),
    eventType: text('event_type').notNull(),
    /** What is sent, to the byte. */
    body: text('body').notNull(),
    status: text('status', { enum: ['pending', 'succeeded', 'failed'] })
      .notNull()
      .default('pending'),
    /** The event that ordered the present round: whatever another one started is void. */
    requestId: text('request_id').notNull(),
    /** Attempts of the present round. */
    tries: integer('tries').notNull().default(0),
    /** The latest, of all rounds. */
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
