import { sql } from 'drizzle-orm';
import { customType, foreignKey, index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, instant, orgId } from './columns.ts';

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

export const orgs = pgTable('orgs', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  createdAt: createdAt(),
});

/** A person. The only table that spans organizations; inside one, only its members are visible. */
export const users = pgTable(
  'users',
  {
    id: text('id').primaryKey(),
    email: text('email').notNull(),
    name: text('name').notNull(),
    createdAt: createdAt(),
    lastSeenAt: instant('last_seen_at'),
  },
  (t) => [uniqueIndex('users_email').on(sql`lower(${t.email})`)],
);

export const memberships = pgTable(
  'memberships',
  {
    orgId: orgId().references(() => orgs.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text('role', { enum: ['owner', 'admin', 'supervisor', 'reviewer', 'agent'] }).notNull(),
    /** Null means every project of the organization. */
    projectIds: text('project_ids').array(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.orgId, t.userId] }), index('memberships_user').on(t.userId)],
);

/** Tokens are stored as SHA-256 only; they die with the membership that they act for. */
export const apiTokens = pgTable(
  'api_tokens',
  {
    orgId: orgId(),
    id: text('id').notNull(),
    userId: text('user_id').notNull(),
    name: text('name').notNull(),
    hash: bytea('hash').notNull(),
    start: text('start').notNull(),
    lastFour: text('last_four').notNull(),
    expiresAt: instant('expires_at'),
    lastUsedAt: instant('last_used_at'),
    revokedAt: instant('revoked_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.id] }),
    uniqueIndex('api_tokens_hash').on(t.hash),
    index('api_tokens_user').on(t.orgId, t.userId, t.createdAt),
    foreignKey({ columns: [t.orgId, t.userId], foreignColumns: [memberships.orgId, memberships.userId] }).onDelete(
      'cascade',
    ),
  ],
);
