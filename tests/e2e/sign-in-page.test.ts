import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { shareBrowser, type SharedBrowser } from '../support/browser.ts';

let t: TestApp;
let owner: TestMember;
let browser: SharedBrowser;
let origin: string;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false, env: { OIDC_EMBEDDED: '1' } });
  origin = await t.listen();
  owner = await t.createOrg('Bluebird');
  browser = await shareBrowser();
});
afterAll(async () => {
  await browser?.close();
  await t?.close();
});

it('signs in with one click and out again in a real browser, under its content security policy', async () => {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  const verifier = randomBytes(32).toString('base64url');
  const parameters = new URLSearchParams({
    client_id: 'earshot-dashboard',
    response_type: 'code',
    redirect_uri: `${origin}/auth/callback`,
    scope: 'openid email profile',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  await page.goto(`${origin}/oidc/auth?${parameters}`);
  await expect.poll(() => page.getByRole('heading', { level: 2 }).textContent()).toBe('Bluebird');
  expect(complaints).toEqual([]);
  await page.getByRole('button').first().click();
  await page.waitForURL(`${origin}/auth/callback?**`);
  const body = new URLSearchParams({
    client_id: 'earshot-dashboard',
    grant_type: 'authorization_code',
    code: new URL(page.url()).searchParams.get('code') ?? '',
    code_verifier: verifier,
    redirect_uri: `${origin}/auth/callback`,
  });
  const tokens = (await (await fetch(`${origin}/oidc/token`, { method: 'POST', body })).json()) as Record<
    string,
    string
  >;
  const headers = { authorization: `Bearer ${tokens['access_token']}`, 'x-selected-org-id': owner.orgId };
  expect((await fetch(`${origin}/api/v1/projects`, { headers })).status).toBe(200);

  // Who signs in without a password has no passkey either.
  await page.goto(`${origin}/account`);
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
  expect(await page.getByRole('link', { name: 'Sign-in and security' }).count()).toBe(0);

  // Signed in already: the next time takes no click.
  await page.goto(`${origin}/oidc/auth?${parameters}`);
  expect(new URL(page.url()).pathname).toBe('/auth/callback');

  const end = new URLSearchParams({ id_token_hint: tokens['id_token'] ?? '', post_logout_redirect_uri: `${origin}/` });
  await page.goto(`${origin}/oidc/session/end?${end}`);
  await page.waitForURL(`${origin}/`);
  await page.goto(`${origin}/oidc/auth?${parameters}`);
  await expect.poll(() => page.getByRole('button').count()).toBeGreaterThan(0);
});
