import { nearestName } from '../lib/nearest-name.ts';

/**
 * How people sign in, decided here and nowhere else.
 *
 *   provider   with the identity provider of OIDC_ISSUER, which replaces all accounts
 *   accounts   with accounts of this service
 *   one-click  as anybody, without a password: on this machine only, never in production
 */
export type SignInMode = 'provider' | 'accounts' | 'one-click';

type SignInSettings = { OIDC_ISSUER?: string | undefined; OIDC_EMBEDDED: boolean };

export function signInModeOf({ OIDC_ISSUER, OIDC_EMBEDDED }: SignInSettings): SignInMode {
  if (OIDC_ISSUER !== undefined) return 'provider';
  return OIDC_EMBEDDED ? 'one-click' : 'accounts';
}

export const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);

/** The environment as it is written. */
type Given = Record<string, string | undefined>;

export function neededByProvider(given: Given): [name: string, why: string][] {
  if (!given.OIDC_ISSUER || given.OIDC_CLIENT_ID) return [];
  return [['OIDC_AUDIENCE', 'with OIDC_ISSUER (or set OIDC_CLIENT_ID): which tokens of the provider are meant for us']];
}

/** These have values of their own without a provider. */
const meaningfulAlone = new Set(['OIDC_EMBEDDED', 'OIDC_SCOPE']);
const ofProvider = ['OIDC_ISSUER', 'OIDC_JWKS_URL', 'OIDC_AUDIENCE', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'];
/** `OIDC_` and one letter of it wrong. */
const lettersPerMistake = 4;

/** Whoever mistypes OIDC_ISSUER wants a provider, and no accounts that open by themselves. */
export function halfConfiguredProvider(given: Given): string[] {
  if (given.OIDC_ISSUER) return [];
  return Object.keys(given)
    .filter((name) => !meaningfulAlone.has(name) && isOfProvider(name))
    .map(
      (name) => `${name}: is set without OIDC_ISSUER, so people would sign in with accounts of this service. Set both`,
    );
}

function isOfProvider(name: string): boolean {
  return /^oidc[_-]/i.test(name) || nearestName(name, ofProvider, lettersPerMistake) !== undefined;
}

/** In production. */
export function sendsPasswordsUnseen(given: Given): string[] {
  if (given.OIDC_ISSUER || isEncryptedOrLocal(given)) return [];
  return [
    'PUBLIC_URL: must be https in production without OIDC_ISSUER, unless HOST is 127.0.0.1: people send their passwords there',
  ];
}

function isEncryptedOrLocal({ PUBLIC_URL, HOST = '127.0.0.1' }: Given): boolean {
  if (PUBLIC_URL === undefined) return loopbackHosts.has(HOST);
  if (!URL.canParse(PUBLIC_URL)) return true;
  const { protocol, hostname } = new URL(PUBLIC_URL);
  return protocol === 'https:' || loopbackHosts.has(hostname.replace(/^\[|\]$/g, ''));
}
