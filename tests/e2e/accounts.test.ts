import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeInviteLink } from '../../src/domain/accounts/service.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { shareBrowser, type SharedBrowser } from '../support/browser.ts';
import { expectAccessible } from '../support/dashboard.ts';

const password = 'turquoise otter 9';
let t: TestApp;
let browser: SharedBrowser;
let origin: string;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  origin = await t.listen();
  browser = await shareBrowser();
});
afterAll(async () => {
  await browser?.close();
  await t?.close();
});

async function openPage(): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({ viewport: { width: 375, height: 800 } });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  return { page, complaints };
}

it('leads the first owner from an empty service to the dashboard, and a colleague after them, out and in again', async () => {
  const { page, complaints } = await openPage();
  await page.goto(`${origin}/sign-in`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Create the first account' }).click();
  await expectAccessible(page);
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('E-mail address').fill('ada@example.com');
  await page.getByLabel('Name of your organization').fill('Bluebird');
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  // The address is filled in: only the password is missing, and has the focus.
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByRole('status').getByText('Your account is ready.').waitFor();
  await expectAccessible(page);
  expect(await page.getByLabel('E-mail address').inputValue()).toBe('ada@example.com');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${origin}/`);
  await page.locator('main h1').first().waitFor();

  await page.goto(`${origin}/account`);
  await page.getByText('(this one)').waitFor();
  await expectAccessible(page);
  // What comes first on the page is read first: the focus does not jump to the form at its end.
  expect(await page.evaluate('document.activeElement.tagName')).toBe('BODY');
  expect(complaints).toEqual([]);

  const [org] = await t.deps.connections.system`select id from orgs`;
  const [owner] = await t.deps.connections.system`select user_id as id from memberships`;
  await t.deps.connections.system`
    insert into invites (org_id, id, email, role, invited_by, expires_at)
    values (${org?.['id']}, 'inv_1', 'grace@example.com', 'supervisor', ${owner?.['id']}, now() + interval '1 day')`;
  const link = await makeInviteLink(t.deps.connections.system, { inviteId: 'inv_1', isMailed: true });
  const second = await openPage();
  await second.page.goto(`${origin}/account/links/${link}`);
  await expectAccessible(second.page);
  await second.page.getByLabel('Your name').fill('Grace');
  await second.page.getByLabel('Password').fill('a walk by the sea');
  await second.page.getByRole('button', { name: 'Join' }).click();
  await second.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await second.page.getByLabel('Password').fill('a walk by the sea');
  await second.page.getByRole('button', { name: 'Sign in' }).click();
  await second.page.waitForURL(`${origin}/`);
  await second.page.locator('main h1').first().waitFor();
  await second.page.goto(`${origin}/account/links/${link}`);
  await second.page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
  await expectAccessible(second.page);
  await second.page.getByRole('link', { name: 'Go to Earshot' }).click();
  await second.page.waitForURL(`${origin}/`);

  await page.goto(`${origin}/account`);
  await page.getByRole('button', { name: /^Sign out here/ }).click();
  await page.waitForURL(/\/sign-in/);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Password').fill('not the password');
  await page.getByLabel('E-mail address').fill('ada@example.com');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect.poll(() => page.getByRole('alert').textContent()).toBe('The address or the password is wrong.');
  await expectAccessible(page);
});
