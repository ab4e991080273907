import { sql } from 'drizzle-orm';
import { bigint, boolean, foreignKey, index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytea, createdAt, instant, orgId } from './columns.ts';
import { roles } from '../../model/role.ts';

function role() {
  return text('role', { enum: roles }).notNull();
}

export const orgs = pgTable('orgs', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  /** Counts changes to memberships, tokens and sessions; maintained by triggers. */
  credentialEpoch: bigint('credential_epoch', { mode: 'bigint' })
    .notNull()
    .default(sql`0`),
  /** Whether owners sign in with a second factor, or a passkey. */
  ownersNeedSecondFactor: boolean('owners_need_second_factor').notNull().default(false),
  createdAt: createdAt(),
});

/** A person. The only table that spans organizations; inside one, only its members are visible. */
export const users = pgTable(
  'users',
  {
    id: text('id').primaryKey(),
    email: text('email').notNull(),
    /** Verified by the operator or an identity provider. Only then does the address identify the person. */
    emailVerified: boolean('email_verified').notNull().default(true),
    name: text('name').notNull(),
    createdAt: createdAt(),
    lastSeenAt: instant('last_seen_at'),
  },
  (t) => [
    uniqueIndex('users_email')
      .on(sql`lower(${t.email})`)
      .where(sql`email_verified`),
  ],
);

/** Maps a subject of an identity provider to a user. */
export const identities = pgTable(
  'identities',
  {
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.issuer, t.subject] }), index('identities_user').on(t.userId)],
);

export const memberships = pgTable(
  'memberships',
  {
    orgId: orgId().references(() => orgs.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: role(),
    /** Null means all projects of the organization. */
    projectIds: text('project_ids').array(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.userId] }),
    index('memberships_user').on(t.userId),
    index('memberships_created').on(t.orgId, t.createdAt, t.userId),
  ],
);

/** One per address and organization; it becomes a membership when that address signs in. */
export const invites = pgTable(
  'invites',
  {
    orgId: orgId().references(() => orgs.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    email: text('email').notNull(),
    role: role(),
    projectIds: text('project_ids').array(),
    invitedBy: text('invited_by').notNull(),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.id] }),
    uniqueIndex('invites_email').on(t.orgId, sql`lower(${t.email})`),
    index('invites_address').on(sql`lower(${t.email})`),
    index('invites_created').on(t.orgId, t.createdAt, t.id),
  ],
);

/** Tokens are stored as SHA-256 only, and are deleted with the membership that they act for. */
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

/** Sessions inside a CRM frame. The cookie is stored as SHA-256 only; sessions are deleted with the membership. */
export const sessions = pgTable(
  'sessions',
  {
    orgId: orgId(),
    id: text('id').notNull(),
    userId: text('user_id').notNull(),
    hash: bytea('hash').notNull(),
    /** Origin of the page that frames the app and may make changes through it. */
    portalOrigin: text('portal_origin').notNull(),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.id] }),
    uniqueIndex('sessions_hash').on(t.hash),
    index('sessions_user').on(t.orgId, t.userId),
    index('sessions_expiry').on(t.expiresAt),
    foreignKey({ columns: [t.orgId, t.userId], foreignColumns: [memberships.orgId, memberships.userId] }).onDelete(
      'cascade',
    ),
  ],
);
