import { afterAll, beforeAll, expect, it } from 'vitest';
import { readPseudonyms, writeToken } from '../../src/domain/mail/pseudonyms.ts';
import { selectRefusals } from '../../src/domain/mail/queries.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { shareBrowser, type SharedBrowser } from '../support/browser.ts';

let t: TestApp;
let org: TestMember;
let browser: SharedBrowser;
let baseUrl: string;

/** The first run may have to install the browser. */
beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  org = await t.createOrg('Tom & Jerry <Ltd>');
  baseUrl = await t.listen();
  browser = await shareBrowser();
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await t.close();
});

it('the page of an alert mail ends these mails and takes them up again, without a complaint of the browser', async () => {
  const { db } = t.deps.services;
  const [recipient, token] = await db.withOrg(org.orgId, async (tx) => {
    const pseudonyms = await readPseudonyms(tx);
    const reader = pseudonyms.of('reader@example.com');
    return [reader, writeToken({ orgId: org.orgId, recipient: reader, signature: pseudonyms.sign(reader) })] as const;
  });
  const isRefused = () => db.withOrg(org.orgId, async (tx) => (await selectRefusals(tx, [recipient])).has(recipient));
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  // Browsers ask for an icon on their own.
  await page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }));
  await page.goto(`${baseUrl}/mail/unsubscribe?token=${token}`);
  await expect.poll(() => page.locator('h1').textContent()).toBe('Alerts of Tom & Jerry <Ltd> by mail');
  expect(await isRefused()).toBe(false);
  await page.getByRole('button', { name: 'Stop these mails' }).click();
  await page.getByText('This address no longer gets them.').waitFor();
  expect(await isRefused()).toBe(true);
  await page.getByRole('button', { name: 'Get them again' }).click();
  await page.getByText('This address gets them again.').waitFor();
  expect(await isRefused()).toBe(false);
  expect(complaints).toEqual([]);
  await page.close();
});
