import { foreignKey, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, instant } from './columns.ts';
import { identities, users } from './orgs.ts';

/**
 * Somebody signs in at a provider for the first time, with the address of a person who has been here: until that is
 * confirmed they are a user of their own. Gone once it is confirmed.
 */
export const identityMatches = pgTable(
  'identity_matches',
  {
    id: text('id').primaryKey(),
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    /** The person who has been here. */
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** What the provider says, and has verified. */
    email: text('email').notNull(),
    name: text('name'),
    createdAt: createdAt(),
    refusedAt: instant('refused_at'),
  },
  (t) => [
    uniqueIndex('identity_matches_subject').on(t.issuer, t.subject),
    index('identity_matches_user').on(t.userId),
    foreignKey({ columns: [t.issuer, t.subject], foreignColumns: [identities.issuer, identities.subject] }).onDelete(
      'cascade',
    ),
  ],
);
