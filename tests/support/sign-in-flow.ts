import { createHash, randomBytes } from 'node:crypto';

export type FlowBrowser = {
  go(url: string, init?: RequestInit): Promise<Response>;
  cookie(name: string): string | undefined;
  /** Another browser in which somebody has planted the cookies of this one. */
  planted(): FlowBrowser;
};

type Cookies = Map<string, { value: string; path: string }>;

/** As much of a browser as a redirect flow needs: cookies by path, redirects one at a time. */
export function createFlowBrowser(known: Cookies = new Map()): FlowBrowser {
  const cookies: Cookies = new Map(known);
  return {
    cookie: (name) => cookies.get(name)?.value,
    planted: () => createFlowBrowser(cookies),
    async go(url, init = {}) {
      const { pathname } = new URL(url);
      const sent = [...cookies].filter(([, cookie]) => pathname.startsWith(cookie.path));
      const cookie = sent.map(([name, { value }]) => `${name}=${value}`).join('; ');
      const response = await fetch(url, { redirect: 'manual', ...init, headers: { cookie, ...init.headers } });
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        const [, path = '/'] = /;\s*path=([^;]+)/i.exec(line) ?? [];
        if (value === '') cookies.delete(name);
        else cookies.set(name, { value, path });
      }
      return response;
    },
  };
}

export type SignInFlow = ReturnType<typeof createSignInFlow>;

/** The sign-in pages over HTTP, as the dashboard and a browser use them. */
export function createSignInFlow(origin: string) {
  const redirectUri = `${origin}/auth/callback`;
  const location = (response: Response): string => new URL(response.headers.get('location') ?? '', origin).href;

  /** The address of the page, and the token that its form carries. */
  async function open(browser: FlowBrowser, more: Record<string, string> = {}) {
    const verifier = randomBytes(32).toString('base64url');
    const parameters = new URLSearchParams({
      client_id: 'earshot-dashboard',
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'openid email profile offline_access',
      state: 'abc',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...more,
    });
    const started = await browser.go(`${origin}/oidc/auth?${parameters}`);
    const url = location(started);
    const page = await browser.go(url);
    const html = await page.text();
    return { url, status: page.status, html, verifier, csrf: /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '' };
  }

  const post = (
    browser: FlowBrowser,
    url: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ) =>
    browser.go(new URL(url, origin).href, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { origin, ...headers },
    });

  async function redeem(fields: Record<string, string>) {
    const body = new URLSearchParams({ client_id: 'earshot-dashboard', ...fields });
    const response = await fetch(`${origin}/oidc/token`, { method: 'POST', body });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  }

  type Opened = Awaited<ReturnType<typeof open>>;

  /** The tokens, after the form was accepted. */
  async function complete(browser: FlowBrowser, accepted: Response, { verifier }: Opened) {
    const returned = new URL(location(await browser.go(location(accepted))));
    const code = returned.searchParams.get('code') ?? '';
    const { body } = await redeem({
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
    });
    return { accessToken: body['access_token'] ?? '', refreshToken: body['refresh_token'] ?? '', code };
  }

  async function tryPassword(
    browser: FlowBrowser,
    email: string,
    password: string,
    headers: Record<string, string> = {},
  ) {
    const page = await open(browser);
    return { page, answer: await post(browser, page.url, { csrf: page.csrf, email, password }, headers) };
  }

  return {
    origin,
    open,
    post,
    redeem,
    complete,
    tryPassword,
    location,
    async signIn(browser: FlowBrowser, email: string, password: string) {
      const { page, answer } = await tryPassword(browser, email, password);
      if (answer.status !== 303) throw new Error(`Signing in was answered with ${answer.status}.`);
      return complete(browser, answer, page);
    },
    /** Status of a request with the token. */
    async statusWith(accessToken: string, url = '/api/v1/me') {
      const headers = { authorization: `Bearer ${accessToken}` };
      return (await fetch(`${origin}${url}`, { headers })).status;
    },
  };
}
