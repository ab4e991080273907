import type { Sql, TransactionSql } from 'postgres';
import { AppError, notFound } from '../../lib/errors.ts';
import { writeAudit, type Client } from './audit.ts';
import { selectFactors, type Factors } from './factor-queries.ts';
import { deletePasskey, deletePasskeys } from './passkey-queries.ts';
import { deleteCodes, deleteTotp } from './totp-queries.ts';

export type { Factors } from './factor-queries.ts';

export function readFactors(system: Sql, userId: string): Promise<Factors> {
  return selectFactors(system, userId);
}

type Person = { userId: string; client: Client };

/** Throws CONFLICT if the person needs a second factor and has no other. */
export async function switchOffTotp(system: Sql, { userId, client }: Person): Promise<void> {
  await system.begin(async (tx) => {
    const { passkeys, isNeeded } = await lockFactors(tx, userId);
    if (isNeeded && passkeys === 0) throw lastFactor();
    await deleteTotpOf(tx, userId, client);
  });
}

/** Returns the name that it had. Throws NOT_FOUND, or CONFLICT if the person needs a second factor and has no other. */
export async function removePasskey(system: Sql, { userId, client, id }: Person & { id: string }): Promise<string> {
  return system.begin(async (tx) => {
    const { hasTotp, passkeys, isNeeded } = await lockFactors(tx, userId);
    const name = await deletePasskey(tx, userId, id);
    if (name === undefined) throw notFound('Passkey');
    if (isNeeded && !hasTotp && passkeys === 1) throw lastFactor();
    await writeAudit(tx, { type: 'passkey.removed', userId, client, details: { passkeyId: id } });
    return name;
  });
}

/** For the operator, when somebody has lost what they sign in with. Returns what was removed. */
export async function resetFactors(
  system: Sql,
  userId: string,
  { passkeys, totp }: { passkeys: boolean; totp: boolean },
): Promise<{ passkeys: number; totp: boolean }> {
  return system.begin(async (tx) => {
    const removed = passkeys ? await deletePasskeys(tx, userId) : [];
    for (const passkeyId of removed) {
      await writeAudit(tx, { type: 'passkey.removed', userId, client: null, details: { passkeyId } });
    }
    return { passkeys: removed.length, totp: totp && (await deleteTotpOf(tx, userId, null)) };
  });
}

/** Two that remove one each would otherwise leave none, since both have seen the other one's. */
async function lockFactors(tx: TransactionSql, userId: string): Promise<Factors> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`factors ${userId}`}, 0))`;
  return selectFactors(tx, userId);
}

/** Recovery codes go with it: they replace its codes. */
async function deleteTotpOf(tx: TransactionSql, userId: string, client: Client | null): Promise<boolean> {
  await deleteCodes(tx, userId);
  const wasOn = await deleteTotp(tx, userId);
  if (wasOn) await writeAudit(tx, { type: 'totp.removed', userId, client });
  return wasOn;
}

function lastFactor(): AppError {
  return new AppError(
    'CONFLICT',
    'Your organization requires a second factor. Set up another one before you remove this one.',
  );
}
