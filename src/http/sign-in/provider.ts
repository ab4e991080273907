import type { Adapter, Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { deviceOf, type Accounts, type ProviderKeys, type SignedInPerson } from '../../domain/accounts/service.ts';
import { signOutPage } from './pages.ts';
import { callbackPath, dashboardClientId, mountPath, resource } from './settings.ts';

const accessTokenSeconds = 15 * 60;
const interactionSeconds = 3600;
/** Whoever stays away that long, or stays that long, signs in again. */
const sessionSeconds = 30 * 86_400;

type ProviderOptions = {
  origin: string;
  keys: ProviderKeys;
  accounts: Accounts;
  /** Where the service is on this machine, any port of it may complete a sign-in: another process serves the dashboard. */
  isDevelopment: boolean;
};

type Parts = ProviderOptions & { adapter: (model: string) => Adapter };

/**
 * An OpenID provider with one public client, the dashboard: authorization code with PKCE, signed access tokens (RFC
 * 9068), rotating refresh tokens that end with the session. Loaded when somebody signs in.
 */
export async function createEmbeddedProvider(options: ProviderOptions): Promise<Provider> {
  const { Provider, interactionPolicy } = await import('oidc-provider');
  const policy = interactionPolicy.base();
  // The dashboard is part of the service, so nobody is asked for consent.
  policy.remove('consent');
  const adapter = options.accounts.store(() => {
    const { ctx } = Provider;
    return ctx?.oidc?.result?.login === undefined ? null : deviceOf(ctx.get('user-agent'));
  });
  const provider = new Provider(`${options.origin}${mountPath}`, {
    ...configurationOf({ ...options, adapter }),
    interactions: { policy, url: (_ctx, { uid }) => `${mountPath}/interaction/${uid}` },
  });
  // The plugin sets the forwarded headers itself, by the configuration.
  provider.proxy = true;
  return provider;
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
      jwt: { sign: { alg: 'ES256' } },
    }),
  },
  rpInitiatedLogout: {
    enabled: true,
    logoutSource: (ctx, form) => void Object.assign(ctx, { type: 'text/html', body: signOutPage(form) }),
    postLogoutSuccessSource: (ctx) => void Object.assign(ctx, { type: 'text/plain', body: 'You are signed out.' }),
  },
};

function configurationOf({ origin, keys, accounts, isDevelopment, adapter }: Parts): Configuration {
  return {
    adapter,
    jwks: { keys: [keys.signing as never] },
    cookies: { keys: [keys.cookieSecret], long: { sameSite: 'lax' }, short: { sameSite: 'lax' } },
    clients: [dashboardClient(origin, isDevelopment)],
    pkce: { required: () => true },
    scopes: ['openid', 'email', 'profile', 'offline_access'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    clientBasedCORS: (_ctx, from) =>
      from === origin || (isDevelopment && isLoopbackOrigin(origin) && isLoopbackOrigin(from)),
    findAccount: async (_ctx, id) => {
      const person = await accounts.findPerson(id);
      return person ? { accountId: id, claims: async () => claimsOf(person) } : undefined;
    },
    extraTokenClaims: async (_ctx, token) => {
      const person = 'accountId' in token && token.accountId ? await accounts.findPerson(token.accountId) : null;
      const sid = 'sessionUid' in token ? token.sessionUid : undefined;
      return { azp: token.clientId, sid, ...(person && claimsOf(person)) };
    },
    expiresWithSession: async () => true,
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

/** RFC 8252, section 7.3: a loopback address may have any port. */
function dashboardClient(origin: string, isDevelopment: boolean) {
  const loopback = ['http://127.0.0.1', 'http://localhost', 'http://[::1]'];
  const isLocal = isDevelopment && isLoopbackOrigin(origin);
  const hosts = [origin, ...(isLocal ? loopback : [])];
  return {
    client_id: dashboardClientId,
    client_name: 'Earshot',
    application_type: isLocal ? ('native' as const) : ('web' as const),
    token_endpoint_auth_method: 'none' as const,
    id_token_signed_response_alg: 'ES256' as const,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code' as const],
    redirect_uris: hosts.map((host) => `${host}${callbackPath}`),
    post_logout_redirect_uris: hosts.map((host) => `${host}/`),
  };
}

async function grantEverything({ oidc }: KoaContextWithOIDC) {
  const { client, session, provider } = oidc;
  if (!client || !session?.accountId) return undefined;
  // One for all tabs of a session: another would end the refresh tokens of the tabs that are open.
  const grantId = session.grantIdFor(client.clientId);
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  if (known?.accountId === session.accountId) return known;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope('openid email profile offline_access');
  await grant.save();
  return grant;
}

function claimsOf({ id, email, name, emailVerified }: SignedInPerson) {
  return { sub: id, email, email_verified: emailVerified, name };
}

function isLoopbackOrigin(origin: string): boolean {
  return /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(origin);
}
