import { baseUrlOf, type Config } from './config.ts';

/**
 * How people sign in, decided here and nowhere else.
 *
 *   provider   with the identity provider of OIDC_ISSUER, which replaces all accounts
 *   accounts   with accounts of this service
 *   one-click  as anybody, without a password: on this machine only, never in production
 */
export type SignInMode = 'provider' | 'accounts' | 'one-click';

export function signInModeOf({
  OIDC_ISSUER,
  OIDC_EMBEDDED,
}: Pick<Config, 'OIDC_ISSUER' | 'OIDC_EMBEDDED'>): SignInMode {
  if (OIDC_ISSUER !== undefined) return 'provider';
  return OIDC_EMBEDDED ? 'one-click' : 'accounts';
}

/** Where the embedded provider is reached: the origin of its issuer, of its cookies and of the links that it makes. */
export function signInOriginOf(config: Config, port: number = config.PORT): string {
  return new URL(baseUrlOf(config, port)).origin;
}
