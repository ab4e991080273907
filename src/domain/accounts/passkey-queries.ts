import { randomBytes } from 'node:crypto';
import type { Sql, TransactionSql } from 'postgres';
import { answeredInTime } from '../../db/deadline.ts';

export type Passkey = { id: string; name: string; createdAt: Date; lastUsedAt: Date | null };

export type StoredPasskey = {
  id: string;
  userId: string;
  handle: Buffer;
  credentialId: Buffer;
  publicKey: Buffer;
  counter: number;
  transports: string[];
};

export type NewPasskey = Omit<StoredPasskey, 'handle'> & { name: string; isBackedUp: boolean };

const handleBytes = 32;

/** The random name by which authenticators know the person: the same for all of their passkeys. */
export async function ensureHandle(system: Sql, userId: string): Promise<Buffer> {
  const [row] = await system<{ handle: Buffer }[]>`
    insert into passkey_holders (user_id, handle) values (${userId}, ${randomBytes(handleBytes)})
    on conflict (user_id) do update set user_id = excluded.user_id returning handle`;
  if (!row) throw new Error('The handle was not stored.');
  return row.handle;
}

type NewChallenge = { hash: Buffer; purpose: string; lifetimeSeconds: number };

/** Also deletes some that have expired. */
export async function insertChallenge(system: Sql, { hash, purpose, lifetimeSeconds }: NewChallenge): Promise<void> {
  await system`
    delete from passkey_challenges where hash in (
      select hash from passkey_challenges where expires_at < now() order by expires_at limit 100 for update skip locked)`;
  await system`
    insert into passkey_challenges (hash, purpose, expires_at)
    values (${hash}, ${purpose}, now() + make_interval(secs => ${lifetimeSeconds}))`;
}

/** Of several answers at once, one succeeds. */
export async function takeChallenge(system: Sql, hash: Buffer, purpose: string): Promise<boolean> {
  const rows = await system`
    delete from passkey_challenges
     where hash = ${hash} and purpose = ${purpose} and expires_at > now() returning hash`;
  return rows.length > 0;
}

/** False if somebody has this passkey already, or the person has as many as one may have. */
export async function insertPasskey(tx: TransactionSql, passkey: NewPasskey, countMax: number): Promise<boolean> {
  const { id, userId, name, credentialId, publicKey, counter, transports, isBackedUp } = passkey;
  // Others that the person adds at the same moment are counted, too.
  await tx`select from passkey_holders where user_id = ${userId} for update`;
  const rows = await tx`
    insert into passkeys (id, user_id, name, credential_id, public_key, counter, transports, is_backed_up)
    select ${id}, ${userId}, ${name}, ${credentialId}, ${publicKey}, ${counter}, ${transports}, ${isBackedUp}
     where (select count(*) from passkeys where user_id = ${userId}) < ${countMax}
    on conflict (credential_id) do nothing returning id`;
  return rows.length > 0;
}

export async function selectByCredential(system: Sql, credentialId: Buffer): Promise<StoredPasskey | undefined> {
  const [row] = await answeredInTime(
    () => system<StoredPasskey[]>`
    select p.id, p.user_id as "userId", h.handle, p.credential_id as "credentialId", p.public_key as "publicKey",
           p.counter::float8 as counter, p.transports
      from passkeys p join passkey_holders h on h.user_id = p.user_id
     where p.credential_id = ${credentialId}`,
  );
  return row;
}

export async function selectCredentials(
  system: Sql,
  userId: string,
): Promise<Pick<StoredPasskey, 'credentialId' | 'transports'>[]> {
  return answeredInTime(
    () => system<Pick<StoredPasskey, 'credentialId' | 'transports'>[]>`
    select credential_id as "credentialId", transports from passkeys where user_id = ${userId} order by created_at, id`,
  );
}

export async function selectPasskeys(system: Sql, userId: string): Promise<Passkey[]> {
  return answeredInTime(
    () => system<Passkey[]>`
    select id, name, created_at as "createdAt", last_used_at as "lastUsedAt"
      from passkeys where user_id = ${userId} order by created_at, id`,
  );
}

/** False if the passkey was removed meanwhile, or another answer has counted as far: two devices share its key. */
export async function markUsed(system: Sql, id: string, counter: number): Promise<boolean> {
  const rows = await system`
    update passkeys set counter = ${counter}, last_used_at = now()
     where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0)) returning id`;
  return rows.length > 0;
}

export async function updateName(system: Sql, userId: string, id: string, name: string): Promise<boolean> {
  const rows = await system`
    update passkeys set name = ${name} where id = ${id} and user_id = ${userId} returning id`;
  return rows.length > 0;
}

/** The name that it had; undefined if the person has no such passkey. */
export async function deletePasskey(tx: TransactionSql, userId: string, id: string): Promise<string | undefined> {
  const [row] = await tx<{ name: string }[]>`
    delete from passkeys where id = ${id} and user_id = ${userId} returning name`;
  return row?.name;
}

export async function deletePasskeys(tx: TransactionSql, userId: string): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`delete from passkeys where user_id = ${userId} returning id`;
  return rows.map(({ id }) => id);
}
