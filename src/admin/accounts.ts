import { signInOriginOf } from '../config/config.ts';
import { signInModeOf } from '../config/sign-in.ts';
import { endAllSignIns, makeResetLink, resetFactors } from '../domain/accounts/service.ts';
import { AppError } from '../lib/errors.ts';
import { table, type Result } from './output.ts';
import type { OpenedDatabase, Session } from './session.ts';

/** A link by which somebody chooses a password. Throws NOT_FOUND. */
export async function makeLink(session: Session, email: string): Promise<Result> {
  const { userId, url } = await linkFor(await openAccounts(session), email);
  return { data: { userId, email, url }, text: textOf(url) };
}

/**
 * The same after ending all sign-ins, for an account that may be in other hands; with passkeys and the authenticator app
 * removed, if somebody has lost them. Throws NOT_FOUND.
 */
export async function reset(
  session: Session,
  email: string,
  { passkeys = false, totp = false }: { passkeys?: boolean; totp?: boolean },
): Promise<Result> {
  const database = await openAccounts(session);
  const { userId, count } = await endAllSignIns(database.system, email);
  const removed = await resetFactors(database.system, userId, { passkeys, totp });
  const { url } = await linkFor(database, email);
  const text = [
    textOf(url),
    `Ended  ${count} sign-ins`,
    ...(passkeys ? [`Removed  ${removed.passkeys} passkeys`] : []),
    ...(totp
      ? [removed.totp ? 'Removed  the authenticator app and its recovery codes' : 'There was no authenticator app.']
      : []),
  ];
  const data = {
    userId,
    email,
    url,
    endedSignIns: count,
    removedPasskeys: removed.passkeys,
    removedTotp: removed.totp,
  };
  return { data, text: text.join('\n') };
}

async function linkFor({ system, config }: OpenedDatabase, email: string): Promise<{ userId: string; url: string }> {
  const { token, userId } = await makeResetLink(system, email);
  return { userId, url: `${signInOriginOf(config)}/account/links/${token}` };
}

async function openAccounts(session: Session): Promise<OpenedDatabase> {
  const database = await session.database();
  if (signInModeOf(database.config) !== 'provider') return database;
  throw new AppError(
    'CONFLICT',
    'People sign in with the identity provider of OIDC_ISSUER, so there are no passwords.',
  );
}

function textOf(url: string): string {
  return table([
    ['Link', `${url} (shown this once)`],
    ['Valid', 'for an hour, once'],
  ]);
}
