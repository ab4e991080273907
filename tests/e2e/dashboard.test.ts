import { existsSync, statSync } from 'node:fs';
import type { Request } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible, startDashboard, type Dashboard } from '../support/dashboard.ts';

let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await startDashboard({ runPipeline: false });
}, 300_000);
afterAll(async () => dashboard?.close());

it('asks to sign in at the provider, and goes on at the address that was asked for', async () => {
  const { baseUrl, browser } = dashboard;
  const page = await browser.newPage();
  await page.goto(`${baseUrl}/calls?status=failed`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: /owner/ }).click();
  await page.waitForURL(`${baseUrl}/calls?status=failed`);
  await page.getByRole('heading', { name: 'Calls' }).waitFor();
  await page.getByRole('button', { name: 'Remove filter Failed' }).waitFor();
  expect(page.url()).toBe(`${baseUrl}/calls?status=failed`);
  await page.close();
});

it('signs out at the provider too: the next visit asks again', async () => {
  const { baseUrl, open, join } = dashboard;
  // Somebody of whom no other test has a session: it ends for all of its copies.
  const page = await open(await join('admin'));
  await page.getByRole('button', { name: /Bluebird/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await page.goto(`${baseUrl}/calls`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: /owner/ }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/oidc\/interaction\//);
});

it('switches between the organizations of the reader, and shows nothing of the other one', async () => {
  const { t, open, owner } = dashboard;
  const other = await t.createOrg('Riverside');
  const email = (await t.deps.services.directory.findPerson(owner.userId))?.email ?? '';
  await t.as(other, { method: 'POST', url: '/api/v1/users/invite', payload: { email, role: 'agent' } });
  const page = await open(owner);
  await page.getByRole('link', { name: 'Billing' }).waitFor();
  await page.getByRole('button', { name: /Bluebird/ }).click();
  await page.getByRole('menuitem', { name: 'Riverside' }).click();
  await page.getByRole('button', { name: /Riverside/ }).waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'Billing' }).count()).toBe(0);
});

it('keeps the theme that the reader chose, from the first paint on', async () => {
  const { open, owner } = dashboard;
  const page = await open(owner, '/calls', { colorScheme: 'light' });
  const theme = (): Promise<string> => page.evaluate('document.documentElement.dataset.theme');
  await expect.poll(theme).toBe('light');
  await page.getByRole('button', { name: /Bluebird|Riverside/ }).click();
  await page.getByRole('menuitem', { name: 'Dark' }).click();
  await expect.poll(theme).toBe('dark');
  await page.reload();
  await expect.poll(theme).toBe('dark');
  await expectAccessible(page);
});

it('opens its navigation over the screen on a phone, and nothing is wider than the screen', async () => {
  const { open, owner } = dashboard;
  const page = await open(owner, '/calls', { viewport: { width: 375, height: 800 } });
  await page.getByRole('button', { name: 'Open navigation' }).click();
  await page.getByRole('link', { name: 'Projects' }).click();
  await page.getByRole('heading', { name: 'Projects' }).waitFor();
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await expectAccessible(page);
});

it('goes on without news where the file that shows them cannot be fetched', async () => {
  const { open, owner, expectComplaints } = dashboard;
  expectComplaints('net::ERR_FAILED', 'TypeError: Failed to fetch dynamically imported module');
  const page = await open(owner, '/calls');
  const refused = page.waitForEvent('requestfailed');
  await page.route('**/toast-viewport-*.js', (route) => route.abort('failed'));
  await page.reload();
  await refused;
  // A moment for what would become of it.
  await page.waitForTimeout(1_000);
  await page.getByRole('link', { name: 'Projects' }).click();
  await page.getByRole('heading', { name: 'Projects' }).waitFor();
  expect(await page.getByRole('link', { name: 'Billing' }).count()).toBe(1);
});

it('says that nothing is at an address in its own words, and to programs in theirs', async () => {
  const { t, owner, open, expectComplaints } = dashboard;
  expectComplaints('404 /nowhere/at/all');
  const page = await open(owner);
  await page.goto(`${dashboard.baseUrl}/nowhere/at/all`);
  await page.getByRole('heading', { level: 1, name: 'There is nothing at this address' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Go to the overview' }).click();
  await page.waitForURL(`${dashboard.baseUrl}/`);
  const { status, body } = await t.as(owner, { method: 'GET', url: '/nowhere/at/all' });
  expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
});

it('loads less than 250 kB of scripts and styles, compressed, before the first screen shows', async () => {
  const { browser, baseUrl, owner, t } = dashboard;
  const person = await t.deps.services.directory.findPerson(owner.userId);
  const page = await browser.newPage();
  // Nor is the browser idle before, however long an answer takes: what is put off until then comes after.
  await page.addInitScript(`const idle = window.requestIdleCallback;
  const putOff = [];
  window.requestIdleCallback = (...given) => void putOff.push(given);
  new MutationObserver((_, observer) => {
    if (!document.querySelector('main h1')) return;
    performance.mark('first screen');
    window.requestIdleCallback = idle;
    for (const given of putOff) idle(...given);
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true })`);
  const requests = new Map<string, Request>();
  page.on('response', (response) => {
    const request = response.request();
    const { pathname, origin } = new URL(request.url());
    if (origin === baseUrl && /^\/assets\/.*\.(?:js|css)$/.test(pathname)) requests.set(pathname, request);
  });
  await page.goto(`${baseUrl}/sign-in?as=${encodeURIComponent(person?.email ?? '')}`);
  await page.waitForURL(`${baseUrl}/`);
  await page.locator('main h1').first().waitFor();
  const shownAt = await page.evaluate<number>(
    "performance.timeOrigin + performance.getEntriesByName('first screen')[0].startTime",
  );
  // What is fetched from then on, such as the charts, keeps nobody waiting.
  const before = [...requests].filter(([, request]) => request.timing().startTime <= shownAt);
  const total = before.reduce((sum, [pathname]) => sum + sizeOf(`dist/dashboard${pathname}`), 0);
  expect(before.some(([pathname]) => pathname.endsWith('.js'))).toBe(true);
  expect(total).toBeLessThan(250_000);
  await page.close();
});

function sizeOf(file: string): number {
  return statSync(existsSync(`${file}.gz`) ? `${file}.gz` : file).size;
}
