import type { Sql, TransactionSql } from 'postgres';
import { answeredInTime } from '../../db/deadline.ts';

export type StoredTotp = { secret: string; confirmedAt: Date | null; lastStep: number | null };

/** An unconfirmed secret is kept for so long, so that a page that is loaded again shows the same one. */
const draftMinutes = 15;

export async function selectTotp(system: Sql, userId: string): Promise<StoredTotp | undefined> {
  const [row] = await answeredInTime(
    () => system<StoredTotp[]>`
    select secret, confirmed_at as "confirmedAt", last_step::float8 as "lastStep"
      from totp_secrets where user_id = ${userId}`,
  );
  return row;
}

/** Keeps a confirmed secret, and a draft that is not too old. */
export async function insertTotpDraft(system: Sql, userId: string, sealed: string): Promise<void> {
  await system`
    insert into totp_secrets (user_id, secret) values (${userId}, ${sealed})
    on conflict (user_id) do update set secret = excluded.secret, created_at = now()
     where totp_secrets.confirmed_at is null
       and totp_secrets.created_at < now() - make_interval(mins => ${draftMinutes})`;
}

/** False if it was confirmed, replaced or deleted meanwhile. */
export async function confirmTotp(tx: TransactionSql, userId: string, secret: string, step: number): Promise<boolean> {
  const rows = await tx`
    update totp_secrets set confirmed_at = now(), last_step = ${step}
     where user_id = ${userId} and secret = ${secret} and confirmed_at is null returning user_id`;
  return rows.length > 0;
}

/** Of several at once, one succeeds: the others find the step taken. */
export async function takeStep(system: Sql, userId: string, step: number): Promise<boolean> {
  const rows = await system`
    update totp_secrets set last_step = ${step}
     where user_id = ${userId} and confirmed_at is not null and last_step < ${step} returning user_id`;
  return rows.length > 0;
}

export async function deleteTotp(tx: TransactionSql, userId: string): Promise<boolean> {
  const rows = await tx<{ wasOn: boolean }[]>`
    delete from totp_secrets where user_id = ${userId} returning confirmed_at is not null as "wasOn"`;
  return rows[0]?.wasOn ?? false;
}

export async function replaceCodes(tx: TransactionSql, userId: string, hashes: Buffer[]): Promise<void> {
  // Two replacements at once would leave the codes of both.
  await tx`select pg_advisory_xact_lock(hashtextextended(${`recovery codes ${userId}`}, 0))`;
  await tx`delete from recovery_codes where user_id = ${userId}`;
  await tx`insert into recovery_codes ${tx(hashes.map((hash) => ({ user_id: userId, hash })))}`;
}

export async function deleteCodes(tx: TransactionSql, userId: string): Promise<void> {
  await tx`delete from recovery_codes where user_id = ${userId}`;
}

/** Of several at once, one succeeds. */
export async function takeCode(tx: TransactionSql, userId: string, hash: Buffer): Promise<boolean> {
  const rows = await tx`
    delete from recovery_codes where user_id = ${userId} and hash = ${hash} returning user_id`;
  return rows.length > 0;
}

export async function selectSealedOtherwise(
  system: Sql,
  keyName: string,
): Promise<{ userId: string; secret: string }[]> {
  return system<{ userId: string; secret: string }[]>`
    select user_id as "userId", secret from totp_secrets where split_part(secret, '.', 2) <> ${keyName}`;
}

export async function replaceSecret(
  system: Sql,
  { userId, before, after }: { userId: string; before: string; after: string },
): Promise<void> {
  await system`update totp_secrets set secret = ${after} where user_id = ${userId} and secret = ${before}`;
}
