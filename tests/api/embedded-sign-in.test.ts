import { createHash, randomBytes } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { createFlowBrowser, type FlowBrowser } from '../support/sign-in-flow.ts';

let t: TestApp;
let owner: TestMember;
let agent: TestMember;
let origin: string;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false, env: { OIDC_EMBEDDED: '1' } });
  origin = await t.listen();
  owner = await t.createOrg('Bluebird <Desk> & "Co"');
  agent = await t.addMember(owner, 'agent');
});
afterAll(() => t.close());

type Attempt = { verifier: string; url: string; redirectUri: string };

function newAttempt(redirectUri = `${origin}/auth/callback`, more: Record<string, string> = {}): Attempt {
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
  return { verifier, redirectUri, url: `${origin}/oidc/auth?${parameters}` };
}

function location(response: Response): string {
  return new URL(response.headers.get('location') ?? '', origin).href;
}

async function openPage(browser: FlowBrowser, { url }: Attempt): Promise<{ url: string; html: string; csrf: string }> {
  const started = await browser.go(url);
  expect(started.status).toBe(303);
  const page = await browser.go(location(started));
  const html = await page.text();
  return { url: location(started), html, csrf: /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '' };
}

function click(
  browser: FlowBrowser,
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = { origin },
) {
  return browser.go(url, { method: 'POST', body: new URLSearchParams(fields), headers });
}

async function signIn(browser: FlowBrowser, userId: string, attempt = newAttempt()): Promise<string> {
  const page = await openPage(browser, attempt);
  const clicked = await click(browser, page.url, { csrf: page.csrf, user: userId });
  expect(clicked.status).toBe(303);
  const returned = new URL(location(await browser.go(location(clicked))));
  expect(`${returned.origin}${returned.pathname}`).toBe(attempt.redirectUri);
  expect(returned.searchParams.get('state')).toBe('abc');
  return returned.searchParams.get('code') ?? '';
}

async function redeem(fields: Record<string, string>) {
  const body = new URLSearchParams({ client_id: 'earshot-dashboard', ...fields });
  const response = await fetch(`${origin}/oidc/token`, { method: 'POST', body });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

function exchange(code: string, { verifier, redirectUri }: Attempt) {
  return redeem({ grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri });
}

async function statusWith(token: string, url = '/api/v1/projects'): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'x-selected-org-id': owner.orgId };
  return (await fetch(`${origin}${url}`, { headers })).status;
}

describe('signing in on this machine', () => {
  it('takes one click, by authorization code and PKCE, and gives a signed token that the API takes', async () => {
    const attempt = newAttempt();
    const code = await signIn(createFlowBrowser(), owner.userId, attempt);
    const { status, body } = await exchange(code, attempt);
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 900, id_token: expect.any(String) });
    expect(decodeJwt(body['access_token'] ?? '')).toMatchObject({
      iss: `${origin}/oidc`,
      sub: owner.userId,
      aud: 'urn:earshot:api',
      azp: 'earshot-dashboard',
      email_verified: true,
    });
    expect(await statusWith(body['access_token'] ?? '')).toBe(200);
    expect(await statusWith(body['access_token'] ?? '', '/api/v1/users')).toBe(200);
  });

  it('lists everybody by organization, with what they are, and takes nothing for markup', async () => {
    const { html } = await openPage(createFlowBrowser(), newAttempt());
    expect(html).toContain('<h2>Bluebird &lt;Desk&gt; &amp; &quot;Co&quot;</h2>');
    for (const { userId } of [owner, agent]) expect(html).toContain(`value="${userId}"`);
    expect(html).toContain('<small>agent</small>');
  });

  it('acts with the role of whoever was chosen, as the same user', async () => {
    const attempt = newAttempt();
    const { body } = await exchange(await signIn(createFlowBrowser(), agent.userId, attempt), attempt);
    expect(await statusWith(body['access_token'] ?? '', '/api/v1/users')).toBe(403);
    const headers = { authorization: `Bearer ${body['access_token']}` };
    const me = await fetch(`${origin}/api/trpc/me.get`, { headers });
    expect(await me.json()).toMatchObject({ result: { data: { json: { user: { id: agent.userId } } } } });
  });

  it('lasts: a refresh token is replaced at each use, and one that is used again ends them all', async () => {
    const attempt = newAttempt();
    const { body } = await exchange(await signIn(createFlowBrowser(), owner.userId, attempt), attempt);
    const refresh = (token: string) => redeem({ grant_type: 'refresh_token', refresh_token: token });
    const second = await refresh(body['refresh_token'] ?? '');
    expect(await statusWith(second.body['access_token'] ?? '')).toBe(200);
    expect(second.body['refresh_token'] ?? '').not.toBe(body['refresh_token'] ?? '');
    expect((await refresh(body['refresh_token'] ?? '')).status).toBe(400);
    expect((await refresh(second.body['refresh_token'] ?? '')).status).toBe(400);
  });

  it('gives the code to nobody but the dashboard on this machine, whatever its port', async () => {
    const elsewhere = newAttempt('http://127.0.0.1:5173/auth/callback');
    expect(await signIn(createFlowBrowser(), owner.userId, elsewhere)).not.toBe('');
    for (const redirectUri of ['https://mallory.example/auth/callback', `${origin}/elsewhere`]) {
      const answer = await createFlowBrowser().go(newAttempt(redirectUri).url);
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    }
  });

  it('refuses a code without its verifier, with another one, and a second time', async () => {
    const attempt = newAttempt();
    const codes = [
      await signIn(createFlowBrowser(), owner.userId, attempt),
      await signIn(createFlowBrowser(), owner.userId, attempt),
    ];
    const other = { ...attempt, verifier: randomBytes(32).toString('base64url') };
    expect((await exchange(codes[0] ?? '', other)).status).toBe(400);
    expect((await exchange(codes[1] ?? '', attempt)).status).toBe(200);
    expect((await exchange(codes[1] ?? '', attempt)).status).toBe(400);
    const withoutChallenge = newAttempt(undefined, { code_challenge: '', code_challenge_method: '' });
    expect(location(await createFlowBrowser().go(withoutChallenge.url))).toContain('error=invalid_request');
  });

  it('refuses a form that was not sent from its page', async () => {
    const browser = createFlowBrowser();
    const { url, csrf } = await openPage(browser, newAttempt());
    const user = owner.userId;
    const answers = [
      await click(browser, url, { user }),
      await click(browser, url, { user, csrf: `${csrf.slice(0, -1)}x` }),
      // As many characters, more bytes.
      await click(browser, url, { user, csrf: `${csrf.slice(0, -1)}é` }),
      await click(browser, url, { user, csrf }, { origin: 'https://mallory.example' }),
      await click(createFlowBrowser(), url, { user, csrf }),
      await click(browser, url, { user: 'usr_nobody', csrf }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 400, 404]);
    expect((await click(browser, url, { user, csrf })).status).toBe(303);
  });

  it('is not to be had by a name that leads here, and is framed by nobody', async () => {
    const headers = { host: 'mallory.example' };
    const rebound = await t.app.inject({
      url: '/oidc/.well-known/openid-configuration',
      headers,
      remoteAddress: '127.0.0.1',
    });
    const remote = await t.app.inject({
      url: '/oidc/.well-known/openid-configuration',
      headers: { host: '127.0.0.1' },
      remoteAddress: '192.0.2.7',
    });
    const forwarded = await t.app.inject({
      url: '/oidc/.well-known/openid-configuration',
      headers: { host: '127.0.0.1', 'x-forwarded-for': '192.0.2.7' },
      remoteAddress: '127.0.0.1',
    });
    expect([rebound.statusCode, remote.statusCode, forwarded.statusCode]).toEqual([403, 403, 403]);
    const browser = createFlowBrowser();
    const page = await browser.go(location(await browser.go(newAttempt().url)));
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(page.headers.get('x-request-id')).not.toBeNull();
  });

  it('ends by signing out', async () => {
    const browser = createFlowBrowser();
    const attempt = newAttempt();
    const { body } = await exchange(await signIn(browser, owner.userId, attempt), attempt);
    const parameters = new URLSearchParams({
      id_token_hint: body['id_token'] ?? '',
      post_logout_redirect_uri: `${origin}/`,
    });
    const page = await (await browser.go(`${origin}/oidc/session/end?${parameters}`)).text();
    const fields = Object.fromEntries(
      [...page.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
    );
    const ended = await click(browser, `${origin}/oidc/session/end/confirm`, fields);
    expect(location(ended)).toBe(`${origin}/`);
    expect((await openPage(browser, newAttempt())).csrf).not.toBe('');
  });

  it('keeps its keys to itself and over a restart, so that tokens stay good', async () => {
    const attempt = newAttempt();
    const { body } = await exchange(await signIn(createFlowBrowser(), owner.userId, attempt), attempt);
    const [stored] = await t.deps.connections.system`select sealed from provider_keys`;
    expect(stored?.['sealed']).toMatch(/^v1\./);
    const jwks = async (app: { inject: TestApp['app']['inject'] }) =>
      (await app.inject({ url: '/oidc/jwks', headers: { host: '127.0.0.1' } })).json();
    const again = await buildApp(t.deps);
    expect(await jwks(again)).toEqual(await jwks(t.app));
    expect(JSON.stringify(await jwks(t.app))).not.toMatch(/"(?:d|p|q|dp|dq|qi)":/);
    await again.close();
    expect(await statusWith(body['access_token'] ?? '')).toBe(200);
  });
});

describe('the configuration', () => {
  const refused = (env: Record<string, string>): string => {
    try {
      loadConfig(env);
      return '';
    } catch (error) {
      return String(error);
    }
  };
  const real = { OIDC_ISSUER: 'https://login.example.com/', OIDC_AUDIENCE: 'earshot' };

  it('does not start in production where passwords can be read on the way, with one click, or with a provider over plain http', () => {
    const NODE_ENV = 'production';
    expect(refused({ NODE_ENV })).toBe('');
    expect(refused({ NODE_ENV, HOST: '0.0.0.0' })).toContain('PUBLIC_URL: must be https');
    expect(refused({ NODE_ENV, HOST: '0.0.0.0', PUBLIC_URL: 'http://calls.example.com' })).toContain('PUBLIC_URL');
    expect(refused({ NODE_ENV, HOST: '0.0.0.0', PUBLIC_URL: 'https://calls.example.com' })).toBe('');
    expect(refused({ NODE_ENV, HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:3000' })).toBe('');
    expect(refused({ NODE_ENV, ...real, OIDC_EMBEDDED: '1' })).toContain('OIDC_EMBEDDED');
    expect(refused({ NODE_ENV, ...real, OIDC_ISSUER: 'http://127.0.0.1:3000/oidc' })).toContain(
      'OIDC_ISSUER: must be https',
    );
    expect(refused({ NODE_ENV, ...real })).toBe('');
  });

  it('does not start with the embedded provider for other machines, nor with tokens that are meant for anybody', () => {
    expect(refused({ OIDC_EMBEDDED: '1', HOST: '0.0.0.0' })).toContain('OIDC_EMBEDDED');
    expect(refused({ OIDC_ISSUER: real.OIDC_ISSUER })).toContain('OIDC_AUDIENCE: is required with OIDC_ISSUER');
    expect(refused({ OIDC_ISSUER: real.OIDC_ISSUER, OIDC_CLIENT_ID: 'x' })).toBe('');
  });

  it('of a real provider leaves no trace of the embedded one', async () => {
    const app = await createTestApp({ runPipeline: false, env: { ...real, OIDC_EMBEDDED: '1' } });
    const answer = await app.app.inject({
      url: '/oidc/.well-known/openid-configuration',
      headers: { host: '127.0.0.1' },
    });
    expect(answer.statusCode).toBe(404);
    await app.close();
  });
});
