import { isApiToken, isWellFormedApiToken } from './api-token.ts';
import { readSessionCookie } from './embedded-session.ts';

type Headers = Record<string, string | string[] | undefined>;

/** The credential in a request, stripped of its syntax. Not verified yet. */
export type SentCredential = { kind: 'api-token' | 'session-token' | 'cookie'; secret: string };

/** RFC 9110, section 11.4: the scheme in any case, one or more spaces. */
const bearer = /^bearer +(\S+) *$/i;
/** RFC 7515, section 3.1: three parts in base64url. */
const signedToken = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * The only place that reads credentials, so rate limiting and authentication agree. An `Authorization` header takes
 * precedence over a cookie. Null if there is none that could be ours.
 */
export function readCredential({ authorization, cookie }: Headers): SentCredential | null {
  if (authorization !== undefined) {
    const secret = typeof authorization === 'string' ? bearer.exec(authorization)?.[1] : undefined;
    return secret === undefined ? null : { kind: isApiToken(secret) ? 'api-token' : 'session-token', secret };
  }
  const secret = readSessionCookie(typeof cookie === 'string' ? cookie : undefined);
  return secret === null ? null : { kind: 'cookie', secret };
}

/** Whether it has the form of a credential. Others are refused without any lookup. */
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
