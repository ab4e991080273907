import { randomUUID } from 'node:crypto';
import type { Sql, TransactionSql } from 'postgres';
import { notFound } from '../../lib/errors.ts';
import { isDeliverable } from '../../lib/mailbox.ts';
import { createSemaphore } from '../../lib/semaphore.ts';
import { renderLetter } from '../mail/service.ts';
import { addressKey } from './address.ts';
import { forgetAttempts, reserveAttempt } from './attempts.ts';
import { writeAudit, type Client } from './audit.ts';
import type { AccountParts } from './context.ts';
import { linkGone, type FormFault, type Joined } from './joining.ts';
import { createLink, findLink, spendLink, withdrawLinks } from './links.ts';
import { findPasswordFault } from './password-rules.ts';
import { hashPassword, verifyPassword } from './password.ts';
import * as queries from './queries.ts';

const hourMs = 3_600_000;
const resetsPerHourMax = 5;
/** However many ask at once, these take turns with two connections: the others are for who waits for an answer. */
const turns = createSemaphore(2);

/** Mails a link to whoever has proved the address; does nothing for others. Called after the answer was sent. */
export function mailReset(parts: AccountParts, asked: AskedReset): Promise<void> {
  return turns(() => mailLink(parts, asked));
}

type AskedReset = { email: string; origin: string; client: Client };

async function mailLink(
  { system, mailer, hasMail }: AccountParts,
  { email, origin, client }: AskedReset,
): Promise<void> {
  if (!hasMail) return;
  const holder = await queries.selectHolder(system, addressKey(email));
  if (!holder || !isDeliverable(holder.email)) return;
  const token = await createMailedLink(system, holder, client);
  if (token === null) return;
  const url = `${origin}/account/links/${token}`;
  const { subject, text, html } = renderLetter(
    {
      subject: 'A new password for Earshot',
      intro: 'Somebody asked for a new password for your account on Earshot. If it was you, choose one within an hour.',
      facts: [['Account', holder.email]],
      action: { title: 'Choose a new password', url },
      reason: 'If it was not you, ignore this mail: nothing has changed.',
    },
    null,
  );
  const messageId = `<${randomUUID()}@${new URL(origin).hostname}>`;
  await mailer.send({ messageId, date: new Date(), to: holder.email, subject, text, html, unsubscribeUrl: null });
}

/** Null if the person was sent enough of them. Of many who ask at once, one is sent. */
async function createMailedLink(
  system: Sql,
  { userId, email }: queries.Holder,
  client: Client,
): Promise<string | null> {
  // Asked twice: whoever asks all the time must not keep connections that wait for each other.
  if (await hasEnoughLinks(system, userId)) return null;
  return system.begin(async (tx) => {
    await queries.lockAddress(tx, addressKey(email));
    if (await hasEnoughLinks(tx, userId)) return null;
    const token = await createLink(tx, { kind: 'reset', userId, isMailed: true, lifetimeMs: hourMs });
    await writeAudit(tx, { type: 'link.created', userId, client, details: { kind: 'reset' } });
    return token;
  });
}

async function hasEnoughLinks(sql: Sql | TransactionSql, userId: string): Promise<boolean> {
  const { minute, hour } = await queries.countResetLinks(sql, userId);
  return minute > 0 || hour >= resetsPerHourMax;
}

/** For the operator. Throws NOT_FOUND. */
export async function makeResetLink(system: Sql, email: string): Promise<{ token: string; userId: string }> {
  const holder = await queries.selectHolder(system, addressKey(email));
  if (!holder) throw notFound('User');
  const { userId } = holder;
  await withdrawLinks(system, { kind: 'reset', userId });
  // The operator vouches for the address, as a mail would.
  const token = await createLink(system, { kind: 'reset', userId, isMailed: true, lifetimeMs: hourMs });
  await writeAudit(system, { type: 'link.created', userId, client: null, details: { kind: 'reset' } });
  return { token, userId };
}

/** Sets the password, ends every sign-in, and voids what knew the account's browsers. Throws NOT_FOUND. */
export async function resetPassword(
  { system, keys }: AccountParts,
  { token, password, client }: { token: string; password: string; client: Client },
): Promise<Joined> {
  const link = await findLink(system, token);
  if (link?.kind !== 'reset' || link.userId === null || link.email === null) throw linkGone();
  const { userId, email, name, isMailed } = link;
  const fault = findPasswordFault(password, { email, name: name ?? '' });
  if (fault !== null) return { field: 'password', message: fault };
  const hash = await hashPassword(password);
  const { cookieSecret } = await keys();
  await system.begin(async (tx) => {
    await queries.lockAddress(tx, addressKey(email));
    if (!(await spendLink(tx, token))) throw linkGone();
    await withdrawLinks(tx, { kind: 'reset', userId });
    await queries.upsertPassword(tx, { userId, email, hash });
    if (isMailed) await queries.verifyAddress(tx, userId);
    await queries.deleteSignIns(tx, { userId });
    await forgetAttempts(tx, { secret: cookieSecret, addressKey: addressKey(email) });
    await writeAudit(tx, { type: 'password.reset', userId, client });
  });
  return { email, userId };
}

type Change = { userId: string; signInId: string; current: string; password: string; client: Client };

/** Ends all other sign-ins. Null if it was changed. */
export async function changePassword({ system, keys }: AccountParts, change: Change): Promise<FormFault | null> {
  const { userId, signInId, current, password, client } = change;
  const account = await queries.selectAccountOf(system, userId);
  if (!account) return wrongPassword;
  const { cookieSecret: secret } = await keys();
  const attempt = { addressKey: '', client: client.address, deviceId: signInId };
  const reserved = await reserveAttempt(system, { secret, attempt });
  if (reserved.isDelayed) return { field: 'current', message: 'Too many attempts. Try again in a few minutes.' };
  if (!(await verifyPassword(current, account.passwordHash))) return wrongPassword;
  await reserved.release();
  const fault = findPasswordFault(password, account);
  if (fault !== null) return { field: 'password', message: fault };
  const hash = await hashPassword(password);
  return system.begin(async (tx) => {
    await queries.lockAddress(tx, addressKey(account.email));
    // It may have been reset meanwhile, by somebody who does not trust the old one.
    if ((await queries.selectAccountOf(tx, userId))?.passwordHash !== account.passwordHash) return wrongPassword;
    await queries.upsertPassword(tx, { userId, email: account.email, hash });
    await queries.deleteSignIns(tx, { userId, except: signInId });
    await withdrawLinks(tx, { kind: 'reset', userId });
    await writeAudit(tx, { type: 'password.set', userId, client, details: { by: 'change' } });
    return null;
  });
}

const wrongPassword: FormFault = { field: 'current', message: 'This is not your password.' };
