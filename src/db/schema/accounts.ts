import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytea, createdAt, instant } from './columns.ts';
import { users } from './orgs.ts';

function userId() {
  return text('user_id').references(() => users.id, { onDelete: 'cascade' });
}

/** How people sign in where no identity provider is configured. A person of several organizations has one. */
export const accounts = pgTable(
  'accounts',
  {
    userId: userId().primaryKey(),
    /** The address that they sign in with, in the form that addresses are compared in. */
    address: text('address').notNull(),
    /** Argon2id, as a PHC string. Null for people who sign in with passkeys alone. */
    passwordHash: text('password_hash'),
    passwordChangedAt: instant('password_changed_at'),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('accounts_address').on(t.address)],
);

/** Links that work once. Stored as SHA-256 only, and deleted when they are used. */
export const accountLinks = pgTable(
  'account_links',
  {
    hash: bytea('hash').primaryKey(),
    kind: text('kind', { enum: ['first-owner', 'invite', 'reset'] }).notNull(),
    /** Whose password it sets. */
    userId: userId(),
    /** The invite that it accepts. */
    inviteId: text('invite_id'),
    /** Whether it was sent to the address: whoever opens it has proved that the address is theirs. */
    isMailed: boolean('is_mailed').notNull().default(false),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    index('account_links_user').on(t.userId),
    index('account_links_invite').on(t.inviteId),
    index('account_links_expiry').on(t.expiresAt),
  ],
);

/** Failed attempts by account and by network, until they are forgotten. */
export const signInAttempts = pgTable(
  'sign_in_attempts',
  {
    /** A keyed hash: addresses that people mistype are kept by nobody. */
    key: bytea('key').primaryKey(),
    failures: integer('failures').notNull(),
    /** Further attempts are refused until then. */
    nextAt: instant('next_at').notNull(),
    lastAt: instant('last_at').notNull(),
  },
  (t) => [index('sign_in_attempts_last').on(t.lastAt)],
);

/** One for each browser in which somebody is signed in. */
export const signIns = pgTable(
  'sign_ins',
  {
    /** The `uid` of the provider's session, and `sid` in tokens. */
    id: text('id').primaryKey(),
    userId: userId().notNull(),
    device: text('device').notNull(),
    createdAt: createdAt(),
    lastUsedAt: instant('last_used_at')
      .notNull()
      .default(sql`now()`),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('sign_ins_user').on(t.userId, t.createdAt), index('sign_ins_expiry').on(t.expiresAt)],
);

/** Audit log of sign-ins and of changes to accounts. Outlives the person, and holds no secret. */
export const accountEvents = pgTable(
  'account_events',
  {
    id: text('id').primaryKey(),
    /** Null while nobody is known: what was typed as an address may be a password. */
    userId: text('user_id'),
    type: text('type').notNull(),
    /** Address of the client; null for commands of the operator. */
    client: text('client'),
    device: text('device'),
    details: jsonb('details').$type<Record<string, string>>().notNull(),
    createdAt: createdAt(),
  },
  (t) => [index('account_events_user').on(t.userId, t.createdAt), index('account_events_created').on(t.createdAt)],
);

/** State of the embedded identity provider: sessions, codes, grants, refresh tokens. Secrets are hashed. */
export const providerEntries = pgTable(
  'provider_entries',
  {
    model: text('model').notNull(),
    /** SHA-256 of the id, which is the secret. */
    hash: bytea('hash').notNull(),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    uid: text('uid'),
    grantId: text('grant_id'),
    accountId: text('account_id'),
    expiresAt: instant('expires_at'),
  },
  (t) => [
    primaryKey({ columns: [t.model, t.hash] }),
    index('provider_entries_uid').on(t.uid),
    index('provider_entries_grant').on(t.grantId),
    index('provider_entries_account').on(t.accountId),
    index('provider_entries_expiry').on(t.expiresAt),
  ],
);

/** What the embedded provider signs with. Sealed. */
export const providerKeys = pgTable('provider_keys', {
  name: text('name').primaryKey(),
  sealed: text('sealed').notNull(),
  createdAt: createdAt(),
});
