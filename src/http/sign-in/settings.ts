import type { OidcSettings } from '../../auth/oidc-provider.ts';

export const mountPath = '/oidc';
export const dashboardClientId = 'earshot-dashboard';
export const callbackPath = '/auth/callback';
/** Both a resource indicator (RFC 8707) and the audience of its tokens. */
export const resource = 'urn:earshot:api';

/** What the service trusts when the embedded provider runs at this origin. */
export function embeddedSettings(origin: string): OidcSettings {
  return { issuer: `${origin}${mountPath}`, audiences: [resource], clientIds: [dashboardClientId] };
}
