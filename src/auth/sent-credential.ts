import { isApiToken, isWellFormedApiToken } from './api-token.ts';
import { readSessionCookie } from './embedded-session.ts';

type Headers = Record<string, string | string[] | undefined>;

/** What a request shows of who sends it, without the spelling around it. Whether it is good is not known yet. */
export type SentCredential = { kind: 'api-token' | 'session-token' | 'cookie'; secret: string };

/** RFC 9110, section 11.4: the scheme in any case, and one space or more. */
const bearer = /^bearer +(\S+) *$/i;
/** RFC 7515, section 3.1: three parts in base64url. */
const signedToken = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * The one reading of credentials: who counts requests and who authenticates them see the same. A request with an
 * `Authorization` header stands by it, whatever cookie comes along. Null where there is none that could be ours.
 */
export function readCredential({ authorization, cookie }: Headers): SentCredential | null {
  if (authorization !== undefined) {
    const secret = typeof authorization === 'string' ? bearer.exec(authorization)?.[1] : undefined;
    return secret === undefined ? null : { kind: isApiToken(secret) ? 'api-token' : 'session-token', secret };
  }
  const secret = readSessionCookie(typeof cookie === 'string' ? cookie : undefined);
  return secret === null ? null : { kind: 'cookie', secret };
}

/** Whether it has the shape of a credential. What has not is refused without a look anywhere. */
export function isWellFormed({ kind, secret }: SentCredential): boolean {
  switch (kind) {
    case 'api-token':
      return isWellFormedApiToken(secret);
    case 'session-token':
      return signedToken.test(secret);
    case 'cookie':
      return true;
    default:
      return kind satisfies never;
  }
}
