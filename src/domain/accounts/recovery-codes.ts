import { randomInt } from 'node:crypto';
import type { Sql } from 'postgres';
import { hashToken } from '../../auth/api-token.ts';
import { writeAudit, type Client } from './audit.ts';
import { replaceCodes, takeCode } from './totp-queries.ts';

/** Crockford's base 32: no letter that resembles a digit. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const codeCount = 10;
/** 80 bits, too many to be found from a hash. */
const codeLength = 16;
const groupLength = 4;

export type RecoveryCodes = { codes: string[]; hashes: Buffer[] };

/** Ten codes to be shown once, and what is stored of them. */
export function newRecoveryCodes(): RecoveryCodes {
  const codes = Array.from({ length: codeCount }, newCode);
  return { codes, hashes: codes.map((code) => hashToken(plain(code))) };
}

/** The old codes are worth nothing any more. */
export async function replaceRecoveryCodes(
  system: Sql,
  { userId, client }: { userId: string; client: Client },
): Promise<string[]> {
  const { codes, hashes } = newRecoveryCodes();
  await system.begin(async (tx) => {
    await replaceCodes(tx, userId, hashes);
    await writeAudit(tx, { type: 'recovery_codes.created', userId, client });
  });
  return codes;
}

/** Whether it is one of the person's codes, which is thereby used up. */
export async function acceptRecoveryCode(
  system: Sql,
  { userId, client, code }: { userId: string; client: Client; code: string },
): Promise<boolean> {
  const text = plain(code);
  if (text.length !== codeLength) return false;
  return system.begin(async (tx) => {
    const isTaken = await takeCode(tx, userId, hashToken(text));
    if (isTaken) await writeAudit(tx, { type: 'recovery_code.used', userId, client });
    return isTaken;
  });
}

function newCode(): string {
  const letters = Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return letters.match(new RegExp(`.{${groupLength}}`, 'g'))?.join('-') ?? letters;
}

/** As typed: without regard to case, spaces and hyphens, and with what resembles a digit taken as one. */
function plain(code: string): string {
  return code.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
}
