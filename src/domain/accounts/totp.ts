import type { Sql } from 'postgres';
import { Secret, TOTP } from 'otpauth';
import { AppError } from '../../lib/errors.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { writeAudit, type Client } from './audit.ts';
import { newRecoveryCodes } from './recovery-codes.ts';
import * as queries from './totp-queries.ts';

export type FactorContext = { system: Sql; secrets: SecretBox };

const issuer = 'Earshot';
const periodSeconds = 30;
const secretBytes = 20;
/** Steps before and after the present one whose codes are accepted (RFC 6238, section 5.2). */
const window = 1;

export type TotpDraft = { secret: string; uri: string };

/**
 * A secret for an authenticator app: the one that was begun a moment ago, or a new one. Throws CONFLICT if codes are
 * switched on already.
 */
export async function beginTotp(
  { system, secrets }: FactorContext,
  { userId, email }: { userId: string; email: string },
): Promise<TotpDraft> {
  const { base32 } = new Secret({ size: secretBytes });
  await queries.insertTotpDraft(system, userId, secrets.seal(base32, contextOf(userId)));
  const stored = await queries.selectTotp(system, userId);
  if (!stored || stored.confirmedAt !== null) throw new AppError('CONFLICT', 'Codes are switched on already.');
  const secret = secrets.open(stored.secret, contextOf(userId));
  return { secret, uri: authenticator(secret, email).toString() };
}

/** Switches codes on and returns new recovery codes; null if the code is wrong. */
export async function confirmTotp(
  { system, secrets }: FactorContext,
  { userId, client, code, now = Date.now() }: { userId: string; client: Client; code: string; now?: number },
): Promise<string[] | null> {
  const stored = await queries.selectTotp(system, userId);
  if (!stored || stored.confirmedAt !== null) return null;
  const step = stepOf(secrets.open(stored.secret, contextOf(userId)), code, now);
  if (step === null) return null;
  return system.begin(async (tx) => {
    if (!(await queries.confirmTotp(tx, userId, stored.secret, step))) return null;
    const { codes, hashes } = newRecoveryCodes();
    await queries.replaceCodes(tx, userId, hashes);
    await writeAudit(tx, { type: 'totp.added', userId, client });
    return codes;
  });
}

/** Whether the code is right, and neither it nor a later one was used before: each is accepted once. */
export async function acceptTotp(
  { system, secrets }: FactorContext,
  { userId, code, now = Date.now() }: { userId: string; code: string; now?: number },
): Promise<boolean> {
  const stored = await queries.selectTotp(system, userId);
  if (!stored || stored.confirmedAt === null) return false;
  const step = stepOf(secrets.open(stored.secret, contextOf(userId)), code, now);
  return step !== null && queries.takeStep(system, userId, step);
}

/** Seals with the current key what was sealed with another. `closed` counts what no key opens; it stays unchanged. */
export async function resealTotp({ system, secrets }: FactorContext): Promise<{ sealed: number; closed: number }> {
  const counts = { sealed: 0, closed: 0 };
  for (const { userId, secret } of await queries.selectSealedOtherwise(system, secrets.keyName)) {
    const after = resealed(secrets, secret, contextOf(userId));
    if (after !== null) await queries.replaceSecret(system, { userId, before: secret, after });
    counts[after === null ? 'closed' : 'sealed'] += 1;
  }
  return counts;
}

function resealed(box: SecretBox, sealed: string, context: string): string | null {
  try {
    return box.seal(box.open(sealed, context), context);
  } catch {
    return null;
  }
}

/** The time step that the code belongs to; null if to none near `now`. */
function stepOf(secret: string, code: string, now: number): number | null {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const totp = authenticator(secret, '');
  const delta = totp.validate({ token, timestamp: now, window });
  return delta === null ? null : totp.counter({ timestamp: now }) + delta;
}

function authenticator(secret: string, label: string): TOTP {
  return new TOTP({ issuer, label, algorithm: 'SHA1', digits: 6, period: periodSeconds, secret });
}

function contextOf(userId: string): string {
  return `totp ${userId}`;
}
