import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { z } from 'zod';
import { safeFetch } from '../lib/safe-fetch.ts';
import { createSigningKeys, type SigningKeys } from './signing-keys.ts';

export type OidcSettings = {
  issuer: string;
  /** Address of the keys, for a provider without discovery. */
  jwksUrl?: string | undefined;
  /** Accepted values of `aud`. */
  audiences: readonly string[];
  /** Accepted values of `azp` (or `client_id`). */
  clientIds: readonly string[];
};

export type OidcProvider = {
  keys: SigningKeys;
  /**
   * Claims about the owner of an access token (OpenID Connect Core, section 5.3); null if the provider has no such
   * endpoint.
   */
  userInfo(accessToken: string): Promise<Record<string, unknown> | null>;
  /** Origins that a browser must reach to sign in. */
  origins(): Promise<string[]>;
};

/** For the provider inside this service, which knows its own keys. */
export function createOwnProvider(issuer: string, publicKeys: () => Promise<JSONWebKeySet>): OidcProvider {
  const fetchKeys = async () => createLocalJWKSet(await publicKeys());
  return {
    keys: createSigningKeys({ fetchKeys }),
    userInfo: async () => null,
    origins: async () => [new URL(issuer).origin],
  };
}

type ProviderOptions = { settings: OidcSettings; outboundAllow: readonly string[] };

const documentSizeBytesMax = 512 * 1024;
const timeoutMs = 5_000;

const Metadata = z.object({
  issuer: z.string(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  token_endpoint: z.url().optional(),
});
type Metadata = z.infer<typeof Metadata>;
const Keys = z.object({ keys: z.array(z.record(z.string(), z.unknown())) });

/**
 * Everything that the service requests from an identity provider: its endpoints (OpenID Connect Discovery 1.0), keys
 * and users.
 */
export function createOidcProvider({ settings, outboundAllow }: ProviderOptions): OidcProvider {
  const { issuer } = settings;
  // The operator named this host, so it may be anywhere. Addresses that it refers to must be public, or named as well.
  const fetchJson = jsonFetcher([new URL(issuer).hostname, ...outboundAllow]);
  let metadata: Metadata | undefined;

  async function discover(): Promise<Metadata> {
    if (metadata) return metadata;
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const found = Metadata.parse(await fetchJson(url));
    if (found.issuer !== issuer) throw new Error(`${url} speaks for another issuer.`);
    metadata = found;
    return found;
  }

  async function fetchKeys() {
    try {
      const url = settings.jwksUrl ?? (await discover()).jwks_uri;
      return createLocalJWKSet(Keys.parse(await fetchJson(url)) as JSONWebKeySet);
    } catch (error) {
      // The provider may have moved its keys.
      metadata = undefined;
      throw error;
    }
  }

  async function userInfo(accessToken: string): Promise<Record<string, unknown> | null> {
    const { userinfo_endpoint: url } = await discover();
    if (url === undefined) return null;
    const claims = await fetchJson(url, { authorization: `Bearer ${accessToken}` });
    return z.record(z.string(), z.unknown()).parse(claims);
  }

  async function origins(): Promise<string[]> {
    const { jwks_uri: keys, token_endpoint: tokens, userinfo_endpoint: people } = await discover();
    return [...new Set([issuer, keys, tokens, people].flatMap((url) => (url ? [new URL(url).origin] : [])))];
  }

  return { keys: createSigningKeys({ fetchKeys }), userInfo, origins };
}

function jsonFetcher(allow: readonly string[]) {
  return async (url: string, headers: Record<string, string> = {}): Promise<unknown> => {
    const { body } = await safeFetch({
      url,
      headers: { accept: 'application/json', ...headers },
      allow,
      sizeBytesMax: documentSizeBytesMax,
      idleTimeoutMs: timeoutMs,
      totalTimeoutMs: timeoutMs,
    });
    return JSON.parse(body.toString('utf8'));
  };
}
