import type { Sql } from 'postgres';
import type { Logger } from '../lib/logger.ts';
import { createOidcProvider, type OidcProvider, type OidcSettings } from './oidc-provider.ts';
import type { SessionPrincipal } from './principal.ts';
import { createSessionVerifier, readPerson, type SessionClaims, type SessionVerifier } from './session-token.ts';
import { markSeen, readSessionUser, signUp, type SessionUser } from './session-users.ts';

export type SessionTokens = {
  /** The principal behind a token of the identity provider; null for anything that is not a live one. */
  find(token: string): Promise<SessionPrincipal | null>;
  /** Takes tokens of this provider from now on. */
  trust(settings: OidcSettings): void;
};

type SessionOptions = {
  system: Sql;
  log: Logger;
  settings: OidcSettings | undefined;
  outboundAllow: readonly string[];
};

type Trusted = { provider: OidcProvider; verify: SessionVerifier };

/**
 * Who has signed in elsewhere. The signature of a token is checked once; its user and their memberships are read at each
 * use, so that a change of them is felt by the next request. Without settings there is no provider, and no token of one.
 */
export function createSessionTokens({ system, log, settings, outboundAllow }: SessionOptions): SessionTokens {
  let trusted: Trusted | undefined;

  function trust(settings: OidcSettings): void {
    const provider = createOidcProvider({ settings, outboundAllow });
    trusted = { provider, verify: createSessionVerifier({ settings, keys: provider.keys }) };
  }

  async function meet(token: string, claims: SessionClaims, { provider }: Trusted): Promise<SessionUser | null> {
    const person = claims.email === null ? await askForPerson(token, claims, provider) : claims;
    const { email, isEmailVerified, name } = person;
    if (email === null) {
      log.warn({ issuer: claims.issuer }, 'the identity provider tells no e-mail address of somebody who signs in');
      return null;
    }
    await signUp(system, claims, { email, isEmailVerified, name });
    return readSessionUser(system, { ...claims, email, isEmailVerified });
  }

  if (settings) trust(settings);
  return {
    trust,
    async find(token) {
      const claims = trusted ? await trusted.verify(token) : null;
      if (!trusted || !claims) return null;
      const found = (await readSessionUser(system, claims)) ?? (await meet(token, claims, trusted));
      if (!found) return null;
      const { user, memberships, isSeenDue } = found;
      if (isSeenDue) await markSeen(system, user.id);
      return { kind: 'session', user, memberships };
    },
  };
}

/** Access tokens of many providers say no more than the subject. */
async function askForPerson(token: string, { subject }: SessionClaims, provider: OidcProvider) {
  const claims = await provider.userInfo(token).catch(() => null);
  return readPerson(claims?.['sub'] === subject ? claims : {});
}
