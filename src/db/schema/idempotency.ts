import { boolean, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant, orgId } from './columns.ts';
import { orgs } from './orgs.ts';

/** Requests that may be repeated with their key, and the answer to the first one. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    orgId: orgId().references(() => orgs.id, { onDelete: 'cascade' }),
    /** The API token, else the user: two programs may choose the same key. */
    client: text('client').notNull(),
    key: text('key').notNull(),
    /** SHA-256 of method, path and body. */
    fingerprint: text('fingerprint').notNull(),
    /** For processes of the previous release, which claim a key with a leased row; to be dropped in the next one. */
    lease: text('lease').notNull(),
    leasedUntil: instant('leased_until').notNull(),
    /** Without a status: the answer was not to be stored. */
    isCarriedOut: boolean('is_carried_out').notNull().default(false),
    status: integer('status'),
    location: text('location'),
    body: text('body'),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.orgId, t.client, t.key] }), index('idempotency_keys_expiry').on(t.expiresAt)],
);
