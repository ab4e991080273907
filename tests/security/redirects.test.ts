import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support/app.ts';

const origin = 'https://calls.example.com';
const callback = `${origin}/auth/callback`;
let t: TestApp;

beforeAll(async () => {
  const env = { PUBLIC_URL: origin, TRUSTED_PROXIES: '127.0.0.1' };
  t = await createTestApp({ runPipeline: false, env });
});
afterAll(() => t.close());

const ask = (url: string) =>
  t.app.inject({ url, headers: { host: 'calls.example.com', 'x-forwarded-proto': 'https' } });

const asked = {
  client_id: 'earshot-dashboard',
  response_type: 'code',
  redirect_uri: callback,
  scope: 'openid',
  state: 'abc',
  code_challenge: 'x'.repeat(43),
  code_challenge_method: 'S256',
};

function authorize(changed: Record<string, string | null>) {
  const parameters = Object.entries({ ...asked, ...changed }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  return ask(`/oidc/auth?${new URLSearchParams(parameters)}`);
}

it('begins a sign-in that comes back to the dashboard', async () => {
  const { statusCode, headers } = await authorize({});
  expect([statusCode, headers.location]).toEqual([303, expect.stringMatching(/^\/oidc\/interaction\//)]);
});

describe('a sign-in that would come back elsewhere', () => {
  it.each([
    'https://mallory.example/auth/callback',
    'https://calls.example.com.mallory.example/auth/callback',
    'https://calls.example.com@mallory.example/auth/callback',
    'https://calls.example.com:444/auth/callback',
    'http://calls.example.com/auth/callback',
    'HTTPS://CALLS.EXAMPLE.COM/auth/callback',
    'https://calls.example.com/',
    'https://calls.example.com//auth/callback',
    'https://calls.example.com/auth/callback/',
    'https://calls.example.com/auth/callback/../../unsubscribe',
    'https://calls.example.com/auth/callback?to=1',
    'https://calls.example.com/auth/callback#to',
    'http://127.0.0.1:9999/auth/callback',
    'http://localhost/auth/callback',
    'http://[::1]:9999/auth/callback',
    '//mallory.example/auth/callback',
    'javascript:alert(1)',
  ])('is not begun: %s', async (redirect) => {
    const { statusCode, headers } = await authorize({ redirect_uri: redirect });
    expect([statusCode, headers.location]).toEqual([400, undefined]);
  });

  it('is not begun by a second address beside the right one', async () => {
    const second = new URLSearchParams({ ...asked }).toString();
    const { headers } = await ask(`/oidc/auth?${second}&redirect_uri=https%3A%2F%2Fmallory.example%2F`);
    expect(headers.location ?? '').not.toMatch(/mallory|interaction/);
  });

  it('does not end at another site either', async () => {
    const parameters = { client_id: asked.client_id, post_logout_redirect_uri: 'https://mallory.example/' };
    const { statusCode, headers } = await ask(`/oidc/session/end?${new URLSearchParams(parameters)}`);
    expect([statusCode, headers.location]).toEqual([400, undefined]);
  });
});

describe('a weaker way to sign in', () => {
  it.each<[string, Record<string, string | null>]>([
    ['without PKCE', { code_challenge: null, code_challenge_method: null }],
    ['plain PKCE', { code_challenge_method: 'plain' }],
    ['PKCE without a method', { code_challenge_method: null }],
    ['a token in the address', { response_type: 'token' }],
    ['an ID token in the address', { response_type: 'id_token', nonce: 'n' }],
    ['both', { response_type: 'code id_token', nonce: 'n' }],
    ['none', { response_type: 'none' }],
    ['a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }],
    ['a request object elsewhere', { request_uri: 'https://mallory.example/request' }],
  ])('is refused: %s', async (_way, changed) => {
    const { headers } = await authorize(changed);
    expect(headers.location).toMatch(/^https:\/\/calls\.example\.com\/auth\/callback[?#]error=/);
  });
});
