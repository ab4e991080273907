import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Sql } from 'postgres';
import { addressKey } from './address.ts';
import { reserveAttempt } from './attempts.ts';
import { writeAudit, type Client } from './audit.ts';
import type { AccountParts } from './context.ts';
import { nextStep, type SignInStep } from './next-step.ts';
import { verifyPassword } from './password.ts';
import { selectAccount, selectAccountOf, versionOf, type Account } from './queries.ts';

export type PasswordSignIn = {
  email: string;
  password: string;
  client: Client;
  /** What `rememberDevice` gave this browser. */
  device: string | undefined;
};

export type PasswordResult =
  | { kind: 'right'; userId: string; version: string; step: SignInStep }
  | { kind: 'wrong' }
  | { kind: 'delayed'; seconds: number };

/** The answer, and the time that it takes, are the same for an unknown address as for a wrong password. */
export async function checkPassword(
  { system, keys }: AccountParts,
  { email, password, client, device }: PasswordSignIn,
): Promise<PasswordResult> {
  const key = addressKey(email);
  const { cookieSecret } = await keys();
  const account = await selectAccount(system, key);
  const deviceId = account && readDevice(cookieSecret, account, device);
  const attempt = { addressKey: key, client: client.address, deviceId };
  const reserved = await reserveAttempt(system, { secret: cookieSecret, attempt });
  if (reserved.isDelayed) return { kind: 'delayed', seconds: reserved.seconds };
  const isRight = await verifyPassword(password, account?.passwordHash ?? null);
  if (!account || !isRight) {
    await writeAudit(system, { type: 'sign_in.failed', userId: account?.userId ?? null, client });
    return { kind: 'wrong' };
  }
  await reserved.release();
  const { userId } = account;
  const step = await nextStep(system, { userId, proofs: ['password'] });
  return { kind: 'right', userId, version: versionOf(account), step };
}

/** Marks a browser as one in which this person has signed in. A new password voids it. */
export function writeDevice(secret: string, account: Account): string {
  const id = randomBytes(16).toString('base64url');
  return `${id}.${sign(secret, account, id)}`;
}

function readDevice(secret: string, account: Account, cookie: string | undefined): string | null {
  const [id = '', signature = ''] = cookie?.split('.') ?? [];
  const [given, expected] = [Buffer.from(signature), Buffer.from(sign(secret, account, id))];
  return id !== '' && given.length === expected.length && timingSafeEqual(given, expected) ? id : null;
}

/** The browser that this is of the person's; null if they have not signed in with it. */
export async function knownDevice(
  system: Sql,
  secret: string,
  { userId, device }: { userId: string; device: string | undefined },
): Promise<string | null> {
  const account = device === undefined ? null : await selectAccountOf(system, userId);
  return account && readDevice(secret, account, device);
}

function sign(secret: string, account: Account, id: string): string {
  const text = `device ${account.userId} ${versionOf(account)} ${id}`;
  return createHmac('sha256', secret).update(text).digest('base64url');
}
