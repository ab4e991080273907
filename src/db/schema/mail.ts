import { customType, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt, orgId } from './columns.ts';
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
