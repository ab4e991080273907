import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Person } from '../../domain/context.ts';
import { createMemoryAdapter } from './memory-adapter.ts';
import type { ProviderKeys } from './keys.ts';
import { signOutPage } from './pages.ts';
import { callbackPath, dashboardClientId, mountPath, resource } from './settings.ts';

const accessTokenSeconds = 15 * 60;
const interactionSeconds = 3600;
const sessionSeconds = 14 * 86_400;

type ProviderOptions = {
  origin: string;
  keys: ProviderKeys;
  findPerson: (id: string) => Promise<Person | undefined>;
};

/**
 * An OpenID provider with one public client, the dashboard: authorization code with PKCE, signed access tokens (RFC
 * 9068), rotating refresh tokens. Loaded on demand, which never happens in production.
 */
export async function createEmbeddedProvider(options: ProviderOptions): Promise<Provider> {
  const { Provider, interactionPolicy } = await import('oidc-provider');
  const policy = interactionPolicy.base();
  // The dashboard is part of the service, so nobody is asked for consent.
  policy.remove('consent');
  const configuration = configurationOf(options);
  return new Provider(`${options.origin}${mountPath}`, {
    ...configuration,
    interactions: { policy, url: (_ctx, { uid }) => `${mountPath}/interaction/${uid}` },
  });
}

const features: Configuration['features'] = {
  devInteractions: { enabled: false },
  resourceIndicators: {
    enabled: true,
    defaultResource: () => resource,
    useGrantedResource: () => true,
    getResourceServerInfo: () => ({
      scope: '',
      audience: resource,
      accessTokenFormat: 'jwt',
      accessTokenTTL: accessTokenSeconds,
      jwt: { sign: { alg: 'RS256' } },
    }),
  },
  rpInitiatedLogout: {
    enabled: true,
    logoutSource: (ctx, form) => void Object.assign(ctx, { type: 'text/html', body: signOutPage(form) }),
    postLogoutSuccessSource: (ctx) => void Object.assign(ctx, { type: 'text/plain', body: 'You are signed out.' }),
  },
};

function configurationOf({ keys, findPerson }: ProviderOptions): Configuration {
  return {
    adapter: createMemoryAdapter(),
    jwks: { keys: [keys.signing as never] },
    cookies: { keys: [keys.cookieSecret] },
    clients: [dashboardClient()],
    pkce: { required: () => true },
    scopes: ['openid', 'email', 'profile', 'offline_access'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    clientBasedCORS: (_ctx, origin) => isLoopbackOrigin(origin),
    findAccount: async (_ctx, id) => {
      const person = await findPerson(id);
      return person && { accountId: id, claims: async () => claimsOf(person) };
    },
    extraTokenClaims: async (_ctx, token) => {
      const person = 'accountId' in token && token.accountId ? await findPerson(token.accountId) : undefined;
      return { azp: token.clientId, ...(person && claimsOf(person)) };
    },
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    loadExistingGrant: grantEverything,
    renderError: (ctx, out) => void Object.assign(ctx, { type: 'application/json', body: out }),
    ttl: {
      AccessToken: accessTokenSeconds,
      IdToken: accessTokenSeconds,
      AuthorizationCode: 60,
      Interaction: interactionSeconds,
      Session: sessionSeconds,
      Grant: sessionSeconds,
      RefreshToken: sessionSeconds,
    },
    features,
  };
}

/** RFC 8252, section 7.3: a loopback address may have any port, for a dashboard served by another process. */
function dashboardClient() {
  const hosts = ['http://127.0.0.1', 'http://localhost', 'http://[::1]'];
  return {
    client_id: dashboardClientId,
    client_name: 'Earshot',
    application_type: 'native' as const,
    token_endpoint_auth_method: 'none' as const,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code' as const],
    redirect_uris: hosts.map((host) => `${host}${callbackPath}`),
    post_logout_redirect_uris: hosts.map((host) => `${host}/`),
  };
}

async function grantEverything({ oidc }: KoaContextWithOIDC) {
  const { client, session, provider } = oidc;
  if (!client || !session?.accountId) return undefined;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope('openid email profile offline_access');
  await grant.save();
  return grant;
}

function claimsOf({ id, email, name }: Person) {
  return { sub: id, email, email_verified: true, name };
}

function isLoopbackOrigin(origin: string): boolean {
  return /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(origin);
}
