import type { UserManager } from 'oidc-client-ts';
import type { Settings } from '../lib/settings.ts';

export type SignInOptions = { returnTo: string; loginHint?: string | undefined };

/** Who is signed in, and how. A frame of a CRM has a cookie and no token. */
export type Session = {
  kind: 'oidc' | 'frame';
  token(): Promise<string | null>;
  isSignedIn(): Promise<boolean>;
  signIn(options: SignInOptions): Promise<void>;
  /** Completes the return from the provider, and resolves to where to continue. Throws the provider's message. */
  complete(): Promise<string>;
  signOut(): Promise<void>;
  /** The service refused the credential. */
  expire(): void;
  onExpired(listener: () => void): () => void;
};

export const callbackPath = '/auth/callback';
type State = { returnTo?: string };

/** Authorization code with PKCE. Tokens live as long as the tab; the provider's own session restores them. */
export function createOidcSession({ signIn: provider }: Settings): Session {
  const { listen, tell } = listeners();
  let manager: Promise<UserManager> | undefined;
  const loaded = (): Promise<UserManager> => (manager ??= createManager(provider));

  async function token(): Promise<string | null> {
    if (!provider) return null;
    const oidc = await loaded();
    let user = await oidc.getUser();
    if (user && (user.expires_in ?? 0) < renewBeforeSeconds && user.refresh_token) {
      user = await oidc.signinSilent().catch(() => null);
    }
    if (!user || user.expired) return null;
    return isJwt(user.access_token) ? user.access_token : (user.id_token ?? null);
  }

  return {
    kind: 'oidc',
    token,
    isSignedIn: async () => (await token()) !== null,
    async signIn({ returnTo, loginHint }) {
      const oidc = await loaded();
      const hint = loginHint === undefined ? {} : { login_hint: loginHint, prompt: 'login' };
      await oidc.signinRedirect({ state: { returnTo } satisfies State, ...hint });
    },
    async complete() {
      const user = await (await loaded()).signinRedirectCallback();
      return safePath((user.state as State | undefined)?.returnTo);
    },
    async signOut() {
      const oidc = await loaded();
      const user = await oidc.getUser();
      await oidc.removeUser();
      await oidc
        .signoutRedirect({
          ...(user?.id_token && { id_token_hint: user.id_token }),
          post_logout_redirect_uri: `${location.origin}/`,
        })
        .catch(() => location.assign('/'));
    },
    expire() {
      void loaded().then((oidc) => oidc.removeUser());
      tell();
    },
    onExpired: listen,
  };
}

/** The frame's cookie has expired, and its form was used when it was opened. */
export class FrameEnded extends Error {
  override name = 'FrameEnded';
  override message = 'This session has ended.';
}

/** A user in a CRM: the frame's form is the credential, exchanged for a cookie. */
export function createFrameSession(open: () => Promise<void>): Session {
  const { listen, tell } = listeners();
  let opening: Promise<void> | undefined;
  let hasEnded = false;
  const opened = async (): Promise<void> => {
    if (hasEnded) throw new FrameEnded();
    await (opening ??= open());
  };
  return {
    kind: 'frame',
    token: async () => {
      await opened();
      return null;
    },
    isSignedIn: async () => {
      await opened();
      return true;
    },
    signIn: async () => opened(),
    complete: async () => '/',
    signOut: async () => undefined,
    expire() {
      if (hasEnded) return;
      hasEnded = true;
      tell();
    },
    onExpired: listen,
  };
}

const renewBeforeSeconds = 60;

async function createManager(provider: Settings['signIn']): Promise<UserManager> {
  if (!provider) throw new Error('No identity provider is configured.');
  const { UserManager, WebStorageStateStore } = await import('oidc-client-ts');
  return new UserManager({
    authority: provider.issuer,
    client_id: provider.clientId,
    scope: provider.scope,
    redirect_uri: `${location.origin}${callbackPath}`,
    post_logout_redirect_uri: `${location.origin}/`,
    automaticSilentRenew: false,
    userStore: new WebStorageStateStore({ store: sessionStorage }),
  });
}

function listeners() {
  const all = new Set<() => void>();
  return {
    tell: () => {
      for (const listener of all) listener();
    },
    listen: (listener: () => void) => {
      all.add(listener);
      return () => void all.delete(listener);
    },
  };
}

function isJwt(token: string): boolean {
  return token.split('.').length === 3;
}

/** A path of this app: the provider's answer must not lead elsewhere. */
export function safePath(path: string | undefined): string {
  return path !== undefined && /^\/(?![/\\])/.test(path) ? path : '/';
}
