import type { Config } from '../config/config.ts';
import { dashboardClientId, embeddedSettings } from '../http/sign-in/settings.ts';

/** Where people sign in to the demo: the configured provider, else the embedded one. */
export function signInOf(config: Config, baseUrl: string): { issuer: string | null; clientId: string | null } {
  const { OIDC_ISSUER, OIDC_CLIENT_ID } = config;
  if (OIDC_ISSUER !== undefined) return { issuer: OIDC_ISSUER, clientId: OIDC_CLIENT_ID?.[0] ?? null };
  return { issuer: embeddedSettings(new URL(baseUrl).origin).issuer, clientId: dashboardClientId };
}
