import { foreignKey, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant, orgId } from './columns.ts';
import { memberships } from './orgs.ts';

/** What the first steps cannot tell from what exists. Without a row, the person has settled nothing by hand. */
export const firstSteps = pgTable(
  'first_steps',
  {
    orgId: orgId(),
    userId: text('user_id').notNull(),
    confirmed: text('confirmed').array().notNull(),
    skipped: text('skipped').array().notNull(),
    /** When the person put all of them away. */
    dismissedAt: instant('dismissed_at'),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.userId] }),
    foreignKey({ columns: [t.orgId, t.userId], foreignColumns: [memberships.orgId, memberships.userId] }).onDelete(
      'cascade',
    ),
  ],
);
