import { reserveAttempt } from './attempts.ts';
import { writeAudit, type Client } from './audit.ts';
import type { AccountParts } from './context.ts';
import { knownDevice } from './password-sign-in.ts';
import { acceptRecoveryCode } from './recovery-codes.ts';
import { acceptTotp, type FactorContext } from './totp.ts';

export type CodeSignIn = { userId: string; code: string; client: Client; device: string | undefined };

export type CodeResult = { kind: 'right' } | { kind: 'wrong' } | { kind: 'delayed'; seconds: number };

/**
 * Takes a code of the app, or a recovery code. Wrong ones delay the next; in a browser that the person has signed in
 * with before, whoever guesses codes elsewhere does not delay them.
 */
export async function checkCode(
  { system, keys, secrets }: AccountParts & Pick<FactorContext, 'secrets'>,
  { userId, code, client, device }: CodeSignIn,
): Promise<CodeResult> {
  const { cookieSecret: secret } = await keys();
  const known = await knownDevice(system, secret, { userId, device });
  const attempt = { addressKey: '', client: client.address, deviceId: `code ${userId} ${known ?? ''}` };
  const reserved = await reserveAttempt(system, { secret, attempt });
  if (reserved.isDelayed) return { kind: 'delayed', seconds: reserved.seconds };
  const isRight =
    (await acceptTotp({ system, secrets }, { userId, code })) ||
    (await acceptRecoveryCode(system, { userId, client, code }));
  if (isRight) {
    await reserved.release();
    return { kind: 'right' };
  }
  await writeAudit(system, { type: 'sign_in.failed', userId, client, details: { by: 'code' } });
  return { kind: 'wrong' };
}
