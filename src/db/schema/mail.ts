import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytea, createdAt, instant, orgId } from './columns.ts';
import { orgs } from './orgs.ts';

/** Turns addresses into pseudonyms, and signs the links in mails. Never leaves the service. */
export const mailKeys = pgTable('mail_keys', {
  orgId: orgId()
    .primaryKey()
    .references(() => orgs.id, { onDelete: 'cascade' }),
  key: bytea('key').notNull(),
  createdAt: createdAt(),
});

/** People who unsubscribed from alert mails, by pseudonym: the address itself is not stored. */
export const mailRefusals = pgTable(
  'mail_refusals',
  {
    orgId: orgId().references(() => orgs.id, { onDelete: 'cascade' }),
    recipient: text('recipient').notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.orgId, t.recipient] })],
);

/** Mails by order and the recipient's pseudonym: each is accepted by a mail server once. */
export const mailSends = pgTable(
  'mail_sends',
  {
    orgId: orgId().references(() => orgs.id, { onDelete: 'cascade' }),
    orderId: text('order_id').notNull(),
    recipient: text('recipient').notNull(),
    /** The run that is sending it. Others wait until `claimedUntil`. */
    runId: text('run_id').notNull(),
    claimedUntil: instant('claimed_until').notNull(),
    acceptedAt: instant('accepted_at'),
  },
  (t) => [primaryKey({ columns: [t.orgId, t.orderId, t.recipient] })],
);
