import { randomBytes } from 'node:crypto';
import { TOTP } from 'otpauth';
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { requireSecondFactor } from '../../src/domain/accounts/service.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { shareBrowser, type SharedBrowser } from '../support/browser.ts';
import { expectAccessible } from '../support/dashboard.ts';
import { createFlowBrowser, createSignInFlow } from '../support/sign-in-flow.ts';

const password = 'turquoise otter 9';
const email = 'ada@example.com';

let t: TestApp;
let browser: SharedBrowser;
let origin: string;
let orgId: string;

beforeAll(async () => {
  // Browsers make passkeys for no IP address.
  t = await createTestApp({ runPipeline: false, env: { HOST: 'localhost' } });
  const listening = new URL(await t.app.listen({ port: 0, host: 'localhost' }));
  origin = `http://localhost:${listening.port}`;
  const token = await t.deps.services.accounts.offerFirstOwner();
  const form = { name: 'Ada', email, organization: 'Bluebird', password };
  await createSignInFlow(origin).post(createFlowBrowser(), `/account/links/${token}`, form);
  const [org] = await t.deps.connections.system<{ id: string }[]>`select id from orgs`;
  orgId = org?.id ?? '';
  browser = await shareBrowser();
});
afterAll(async () => {
  await browser?.close();
  await t?.close();
});

async function open(): Promise<{ page: Page; cdp: CDPSession; complaints: string[] }> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  return { page, cdp, complaints };
}

async function addAuthenticator(cdp: CDPSession): Promise<string> {
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return authenticatorId;
}

/** The sign-in page, as the dashboard leads to it. */
async function goToSignIn(page: Page): Promise<void> {
  const challenge = randomBytes(32).toString('base64url');
  const parameters = new URLSearchParams({
    client_id: 'earshot-dashboard',
    response_type: 'code',
    redirect_uri: `${origin}/auth/callback`,
    scope: 'openid',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  await page.goto(`${origin}/oidc/auth?${parameters}`);
}

async function typePassword(page: Page): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

const isIn = (page: Page) => page.waitForURL(`${origin}/auth/callback?**`, { waitUntil: 'commit' });

/** Codes count once, so the test has them all computed in steps that nobody has used. */
async function nextCode(secret: string): Promise<string> {
  await t.deps.connections.system`update totp_secrets set last_step = last_step - 5`;
  return new TOTP({ secret }).generate({ timestamp: Date.now() });
}

it('makes, uses and removes a passkey, and signs in with an app’s code and a recovery code', async () => {
  const { page, cdp, complaints } = await open();
  await addAuthenticator(cdp);
  await goToSignIn(page);
  await typePassword(page);
  await isIn(page);

  await page.goto(`${origin}/account`);
  await page.getByRole('link', { name: 'Sign-in and security' }).click();
  await page.getByLabel('Name, such as').fill('Laptop');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText('not used yet').waitFor();

  await page.context().clearCookies();
  await goToSignIn(page);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await isIn(page);
  await page.goto(`${origin}/account/security`);
  await page.getByText('last used').waitFor();

  await page.getByRole('link', { name: 'Set up' }).click();
  const secret = ((await page.locator('.secret').textContent()) ?? '').replaceAll(' ', '');
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'Code' }).fill('000000');
  await page.getByRole('button', { name: 'Switch on' }).click();
  await page.getByText('This code is not right.').waitFor();
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'Code' }).fill(new TOTP({ secret }).generate());
  await page.getByRole('button', { name: 'Switch on' }).click();
  await page.locator('.codes li').first().waitFor();
  const codes = await page.locator('.codes li').allTextContents();
  expect(codes).toHaveLength(10);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'I have stored them' }).click();

  for (const code of [() => nextCode(secret), () => codes[0] ?? '']) {
    await page.context().clearCookies();
    await goToSignIn(page);
    await typePassword(page);
    await page.getByRole('textbox', { name: 'Code' }).fill(await code());
    await page.getByRole('button', { name: 'Continue' }).click();
    await isIn(page);
  }
  await page.goto(`${origin}/account/security`);
  await page.getByText('9 of 10 are left.').waitFor();
  // With the keyboard alone.
  await page.getByText('Rename or remove').focus();
  await page.keyboard.press('Enter');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Remove' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByText('Rename or remove').count()).toBe(0);
  await page.getByRole('button', { name: 'Switch off' }).click();
  await page.getByText('Off. When it is on').waitFor();
  expect(complaints.filter((text) => !/status of (?:422|404)/.test(text))).toEqual([]);
});

it('leads an owner who needs a second factor to one, and in', async () => {
  await requireSecondFactor(
    { db: t.deps.services.db, system: t.deps.connections.system },
    { orgId, isNeeded: true, by: 'operator' },
  );
  const { page, cdp } = await open();
  const authenticatorId = await addAuthenticator(cdp);
  await goToSignIn(page);
  await typePassword(page);
  await page.getByText('Your organization requires owners').waitFor();
  await expectAccessible(page);
  await page.getByLabel('Name, such as').fill('Laptop');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await isIn(page);

  // The password alone leads no further than to the passkey.
  await page.context().clearCookies();
  await goToSignIn(page);
  await typePassword(page);
  await page.getByRole('heading', { name: 'One more step' }).waitFor();
  await expectAccessible(page);
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByText('Nothing was done').waitFor();
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await isIn(page);
  expect(new URL(page.url()).searchParams.has('code')).toBe(true);
  await requireSecondFactor(
    { db: t.deps.services.db, system: t.deps.connections.system },
    { orgId, isNeeded: false, by: 'operator' },
  );
});

it('asks again who it is before something is changed that long after the sign-in', async () => {
  const { page } = await open();
  await goToSignIn(page);
  await typePassword(page);
  await isIn(page);
  await t.deps.connections.system`
    update provider_entries set payload = payload || jsonb_build_object('loginTs', (payload->>'loginTs')::int - 601)
     where model = 'Session'`;
  await page.goto(`${origin}/account/security`);
  await page.getByLabel('Password').fill('not my password');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('This is not your password.').waitFor();
  await expectAccessible(page);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Sign-in and security' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/account/security');
});
