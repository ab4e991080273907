import type { JSONWebKeySet } from 'jose';
import type { Sql } from 'postgres';
import type { Logger } from '../lib/logger.ts';
import { createOidcProvider, createOwnProvider, type OidcProvider, type OidcSettings } from './oidc-provider.ts';
import { hashToken } from './api-token.ts';
import { createCredentialCache } from './credential-cache.ts';
import type { Identity } from './principal.ts';
import { readPerson, type SessionClaims } from './session-claims.ts';
import { createSessionVerifier, type SessionVerifier } from './session-token.ts';
import { markSeen, readOwnUser, readSessionUser, signUp, type SessionUser } from './session-users.ts';

export type SessionTokens = {
  /**
   * The principal behind a token of the identity provider; null unless it is live. Unless `anew`, what is cached for
   * the selected organization may be returned.
   */
  find(token: string, options: { anew: boolean; orgId: string }): Promise<Identity | null>;
  /** Whether the provider signed the token for us and it is still valid. Contacts only the provider, for its keys. */
  isSigned(token: string): Promise<boolean>;
  /** Accepts tokens of this provider from now on. */
  trust(settings: OidcSettings, own?: OwnProvider): void;
  /** The provider's origins that a browser must reach; empty without a provider, or while it does not answer. */
  providerOrigins(): Promise<string[]>;
};

type SessionOptions = {
  system: Sql;
  log: Logger;
  settings: OidcSettings | undefined;
  outboundAllow: readonly string[];
};

/** The provider inside this service. Its subjects are our users, and its tokens end with their sign-in. */
type OwnProvider = { publicKeys: () => Promise<JSONWebKeySet> };
type Trusted = { provider: OidcProvider; verify: SessionVerifier; isOwn: boolean };

/**
 * Users who signed in at the provider. A token's signature is checked once; its user and memberships are cached as of
 * an epoch, which the next request must confirm. Without settings there is no provider, and no token is accepted.
 */
export function createSessionTokens({ system, log, settings, outboundAllow }: SessionOptions): SessionTokens {
  const cache = createCredentialCache();
  let trusted: Trusted | undefined;

  function trust(settings: OidcSettings, own?: OwnProvider): void {
    const provider = own
      ? createOwnProvider(settings.issuer, own.publicKeys)
      : createOidcProvider({ settings, outboundAllow });
    trusted = { provider, verify: createSessionVerifier({ settings, keys: provider.keys }), isOwn: own !== undefined };
  }

  async function meet(token: string, claims: SessionClaims, { provider }: Trusted): Promise<SessionClaims | null> {
    const person = claims.email === null ? await askForPerson(token, claims, provider) : claims;
    const { email, isEmailVerified, name } = person;
    if (email === null) {
      log.warn({ issuer: claims.issuer }, 'the identity provider tells no e-mail address of somebody who signs in');
      return null;
    }
    await signUp(system, claims, { email, isEmailVerified, name });
    return { ...claims, email, isEmailVerified };
  }

  async function read(token: string, claims: SessionClaims, orgId: string, by: Trusted): Promise<SessionUser | null> {
    if (by.isOwn) return readOwnUser(system, claims, orgId);
    const known = await readSessionUser(system, claims, orgId);
    if (known) return known;
    const met = await meet(token, claims, by);
    return met && readSessionUser(system, met, orgId);
  }

  if (settings) trust(settings);
  return {
    trust,
    isSigned: async (token) => trusted !== undefined && (await trusted.verify(token)) !== null,
    providerOrigins: async () => (await trusted?.provider.origins().catch(() => [])) ?? [],
    async find(token, { anew, orgId }) {
      const claims = trusted ? await trusted.verify(token) : null;
      if (!trusted || !claims) return null;
      const key = `${hashToken(token).toString('latin1')} ${orgId}`;
      const remembered = anew ? undefined : cache.recall(key);
      if (remembered) return { principal: remembered.principal, epoch: remembered.epoch };
      const found = await read(token, claims, orgId, trusted);
      if (!found) return null;
      const { user, memberships, confirmation, usedInMinute, epoch } = found;
      const principal = { kind: 'session' as const, user, memberships, confirmation };
      const minute = Math.floor(Date.now() / 60_000);
      if (usedInMinute < minute) await markSeen(system, user.id, trusted.isOwn ? claims.signInId : null);
      // Expires with the minute, so that the next use is recorded.
      const expiresAt = new Date(Math.min(claims.expiresAt.getTime(), (minute + 1) * 60_000));
      if (epoch !== null) cache.remember(key, { principal, expiresAt, usedInMinute: minute, epoch });
      else cache.forget(key);
      return { principal, epoch: null };
    },
  };
}

/** Access tokens of many providers contain no more than the subject. */
async function askForPerson(token: string, { subject }: SessionClaims, provider: OidcProvider) {
  const claims = await provider.userInfo(token).catch(() => null);
  return readPerson(claims?.['sub'] === subject ? claims : {});
}
