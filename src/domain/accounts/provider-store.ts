import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { JSONValue, Sql, TransactionSql } from 'postgres';
import { z } from 'zod';
import { hashToken } from '../../auth/api-token.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { versionOf } from './queries.ts';

/** What the embedded provider signs with: tokens, and the cookies of its pages. */
export type ProviderKeys = { signing: JWK; cookieSecret: string };

const Stored = z.object({ signing: z.looseObject({ kty: z.string() }), cookieSecret: z.string().min(32) });
const keyContext = 'provider keys';

/** Shared by all instances. Keys that were sealed with a lost key are replaced: everybody signs in again. */
export async function loadProviderKeys(system: Sql, secrets: SecretBox): Promise<ProviderKeys> {
  const [row] = await system<{ sealed: string }[]>`select sealed from provider_keys where name = 'signing'`;
  const known = row && open(secrets, row.sealed);
  if (known) return known;
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const kid = randomBytes(8).toString('hex');
  const keys = {
    signing: { ...(await exportJWK(privateKey)), kid, alg: 'ES256', use: 'sig' },
    cookieSecret: randomBytes(32).toString('base64url'),
  };
  const sealed = secrets.seal(JSON.stringify(keys), keyContext);
  await system`
    insert into provider_keys as k (name, sealed) values ('signing', ${sealed})
    on conflict (name) do update set sealed = excluded.sealed, created_at = now() where k.sealed = ${row?.sealed ?? ''}`;
  return loadProviderKeys(system, secrets);
}

function open(secrets: SecretBox, sealed: string): ProviderKeys | null {
  try {
    return Stored.parse(JSON.parse(secrets.open(sealed, keyContext))) as ProviderKeys;
  } catch {
    return null;
  }
}

type StoreOptions = {
  system: Sql;
  /** What the person who signs in now is using; null if the request only goes on with a sign-in of before. */
  signingInWith: () => string | null;
};

/** Sessions, codes, grants and tokens of the embedded provider, in the database: a restart loses none. */
export function createProviderStore({ system, signingInWith }: StoreOptions): (model: string) => Adapter {
  return (model) => {
    const isSession = model === 'Session';
    return {
      async upsert(id, payload, expiresInSeconds) {
        const { uid, accountId, acr: version } = payload;
        await system.begin(async (tx) => {
          if (isSession && uid && accountId) {
            const signIn = { uid, accountId, expiresInSeconds };
            const device = signingInWith();
            await (device === null ? continueSignIn(tx, signIn) : keepSignIn(tx, { ...signIn, version, device }));
          }
          await upsertEntry(tx, model, { id, payload, expiresInSeconds });
        });
      },
      async find(id) {
        const [row] = await system<{ payload: AdapterPayload }[]>`
          select payload from provider_entries
           where model = ${model} and hash = ${hashToken(id)} and (expires_at is null or expires_at > now())`;
        return row && { ...row.payload, jti: id };
      },
      async findByUid(uid) {
        const [row] = await system<{ payload: AdapterPayload }[]>`
          select payload from provider_entries
           where model = ${model} and uid = ${uid} and (expires_at is null or expires_at > now())`;
        return row?.payload;
      },
      findByUserCode: async () => undefined,
      consume: (id) => consumeEntry(system, model, id),
      async destroy(id) {
        const [gone] = await system<{ uid: string | null }[]>`
          delete from provider_entries where model = ${model} and hash = ${hashToken(id)} returning uid`;
        if (isSession && gone?.uid) await system`delete from sign_ins where id = ${gone.uid}`;
      },
      async revokeByGrantId(grantId) {
        await system`delete from provider_entries where model = ${model} and grant_id = ${grantId}`;
      },
    };
  };
}

type NewEntry = { id: string; payload: AdapterPayload; expiresInSeconds: number | undefined };

/** The id is the secret, so only its hash is stored. */
async function upsertEntry(
  tx: TransactionSql,
  model: string,
  { id, payload, expiresInSeconds }: NewEntry,
): Promise<void> {
  const { jti: _secret, ...stored } = payload;
  const { uid = null, grantId = null, accountId = null } = stored;
  await tx`
    insert into provider_entries (model, hash, payload, uid, grant_id, account_id, expires_at)
    values (${model}, ${hashToken(id)}, ${tx.json(stored as JSONValue)}, ${uid}, ${grantId}, ${accountId},
            now() + make_interval(secs => ${expiresInSeconds || null}::float8))
    on conflict (model, hash) do update
       set (payload, uid, grant_id, account_id, expires_at)
         = (excluded.payload, excluded.uid, excluded.grant_id, excluded.account_id, excluded.expires_at)`;
}

/** Of two at once, only one may go on. */
async function consumeEntry(system: Sql, model: string, id: string): Promise<void> {
  const used = await system`
    update provider_entries set payload = payload || jsonb_build_object('consumed', floor(extract(epoch from now())))
     where model = ${model} and hash = ${hashToken(id)} and not payload ? 'consumed' returning 1`;
  if (used.length === 0) throw new (await import('oidc-provider')).errors.InvalidGrant('already used');
}

type KnownSignIn = { uid: string; accountId: string; expiresInSeconds: number | undefined };
type NewSignIn = KnownSignIn & { version: unknown; device: string };

/** Throws if it was ended since the request began: what was read before must not bring it back. */
async function continueSignIn(
  tx: TransactionSql,
  { uid, accountId, expiresInSeconds = 0 }: KnownSignIn,
): Promise<void> {
  const { count } = await tx`
    update sign_ins set expires_at = now() + make_interval(secs => ${expiresInSeconds}::float8)
     where id = ${uid} and user_id = ${accountId}`;
  if (count > 0) return;
  const { errors } = await import('oidc-provider');
  throw new errors.AccessDenied('You were signed out meanwhile. Sign in again.');
}

/** Throws unless the password is still the one that was checked: a reset that came between ends this sign-in. */
async function keepSignIn(tx: TransactionSql, signIn: NewSignIn): Promise<void> {
  const { uid, accountId, version, expiresInSeconds = 0, device } = signIn;
  if (typeof version === 'string') {
    const [current] = await tx<{ passwordChangedAt: Date | null }[]>`
      select password_changed_at as "passwordChangedAt" from accounts where user_id = ${accountId} for share`;
    if (current === undefined || versionOf(current) !== version) {
      const { errors } = await import('oidc-provider');
      throw new errors.AccessDenied('The password has changed meanwhile. Sign in again.');
    }
  }
  await tx`
    insert into sign_ins (id, user_id, device, expires_at)
    values (${uid}, ${accountId}, ${device}, now() + make_interval(secs => ${expiresInSeconds}::float8))
    on conflict (id) do update set (user_id, expires_at) = (excluded.user_id, excluded.expires_at)`;
}

/**
 * Deletes what has expired, and forgets attempts after a day and events after a year. In batches, so that nobody who signs
 * in waits for long; what is left after some seconds waits for the next time. Returns how many rows are gone.
 */
export async function removeExpired(system: Sql): Promise<number> {
  const endAt = performance.now() + removingMsMax;
  let removed = 0;
  for (const [table, condition] of expired) {
    for (let count = batchSize; count === batchSize && performance.now() < endAt; removed += count) {
      ({ count } = await system`
        delete from ${system(table)} where ctid in (
          select ctid from ${system(table)} where ${system.unsafe(condition)} limit ${batchSize} for update skip locked)`);
    }
  }
  return removed;
}

const batchSize = 1000;
const removingMsMax = 10_000;
const expired: [table: string, condition: string][] = [
  ['provider_entries', 'expires_at < now()'],
  ['sign_ins', 'expires_at < now()'],
  ['account_links', 'expires_at < now()'],
  ['passkey_challenges', 'expires_at < now()'],
  ['sign_in_attempts', "last_at < now() - interval '1 day'"],
  ['account_events', "created_at < now() - interval '1 year'"],
];
