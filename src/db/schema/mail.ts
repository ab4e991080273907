import { customType, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt, instant, orgId } from './columns.ts';
import { orgs } from './orgs.ts';

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** Turns addresses into pseudonyms, and signs the links of mails. Never leaves the service. */
export const mailKeys = pgTable('mail_keys', {
  orgId: orgId()
    .primaryKey()
    .references(() => orgs.id, { onDelete: 'cascade' }),
  key: bytea('key').notNull(),
  createdAt: createdAt(),
});

/** Who wants no more alerts by mail, by pseudonym: the address itself is not kept. */
export const mailRefusals = pgTable(
  'mail_refusals',
  {
    orgId: orgId().references(() => orgs.id, { onDelete: 'cascade' }),
    recipient: text('recipient').notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.orgId, t.recipient] })],
);

/** Mails by the order that asked for them and the pseudonym of who gets them: each is accepted by a server once. */
export const mailSends = pgTable(
  'mail_sends',
  {
    orgId: orgId().references(() => orgs.id, { onDelete: 'cascade' }),
    orderId: text('order_id').notNull(),
    recipient: text('recipient').notNull(),
    /** The run that is sending it. Another one waits until `claimedUntil`. */
    runId: text('run_id').notNull(),
    claimedUntil: instant('claimed_until').notNull(),
    acceptedAt: instant('accepted_at'),
  },
  (t) => [primaryKey({ columns: [t.orgId, t.orderId, t.recipient] })],
);
