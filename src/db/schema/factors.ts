import { bigint, boolean, index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytea, createdAt, instant } from './columns.ts';
import { users } from './orgs.ts';

function userId() {
  return text('user_id').references(() => users.id, { onDelete: 'cascade' });
}

/** What a person's authenticator app computes codes from. It counts only once a code has confirmed it. */
export const totpSecrets = pgTable('totp_secrets', {
  userId: userId().primaryKey(),
  /** Sealed. */
  secret: text('secret').notNull(),
  confirmedAt: instant('confirmed_at'),
  /** Time step (RFC 6238) of the last accepted code: no code of it, or of an earlier one, is accepted again. */
  lastStep: bigint('last_step', { mode: 'number' }),
  createdAt: createdAt(),
});

/** Codes that each replace a second factor once. Stored as SHA-256 only, and deleted when they are used. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: userId().notNull(),
    hash: bytea('hash').notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.hash] })],
);

/** The random name by which authenticators know a person (WebAuthn, section 5.4.3: no personal data). */
export const passkeyHolders = pgTable(
  'passkey_holders',
  {
    userId: userId().primaryKey(),
    handle: bytea('handle').notNull(),
  },
  (t) => [uniqueIndex('passkey_holders_handle').on(t.handle)],
);

export const passkeys = pgTable(
  'passkeys',
  {
    id: text('id').primaryKey(),
    userId: userId().notNull(),
    name: text('name').notNull(),
    credentialId: bytea('credential_id').notNull(),
    publicKey: bytea('public_key').notNull(),
    /** The authenticator's count of signatures; it stays at 0 where a passkey is copied between devices. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: text('transports').array().notNull(),
    isBackedUp: boolean('is_backed_up').notNull(),
    createdAt: createdAt(),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [
    uniqueIndex('passkeys_credential').on(t.credentialId),
    index('passkeys_user').on(t.userId, t.createdAt, t.id),
  ],
);

/** Challenges that wait for a passkey's answer. Stored as SHA-256 only, and deleted by the first answer. */
export const passkeyChallenges = pgTable(
  'passkey_challenges',
  {
    hash: bytea('hash').primaryKey(),
    /** What the answer may be used for: the kind of ceremony, and the sign-in or person that it belongs to. */
    purpose: text('purpose').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('passkey_challenges_expiry').on(t.expiresAt)],
);
