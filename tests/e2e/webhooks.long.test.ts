import { afterAll, beforeAll, expect, it } from 'vitest';
import { uploadCall } from '../api/billing-support.ts';
import { startReceiver, type Receiver } from '../pipeline/support/webhook-receiver.ts';
import { expectAccessible, startDashboard, type Dashboard } from '../support/dashboard.ts';
import { createWebhook } from '../support/webhooks.ts';

let dashboard: Dashboard;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver((res, { path }) => void res.writeHead(path === '/gone' ? 410 : 200).end('thank you'));
  dashboard = await startDashboard({ env: { OUTBOUND_ALLOW: '127.0.0.1' } });
}, 300_000);
afterAll(async () => {
  await dashboard?.close();
  await receiver?.close();
});

it('adds an endpoint, shows its secret once, sends a test and shows what was sent and answered', async () => {
  const { open, owner } = dashboard;
  const page = await open(owner, '/webhooks');
  await page.getByText('No endpoints yet').waitFor();
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  await page.getByLabel('Address').fill(receiver.url('/hook'));
  await page.getByRole('checkbox', { name: /alert.triggered/ }).check();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
  const secret = await page.getByLabel('Signing secret', { exact: true }).inputValue();
  expect(secret).toMatch(/^whsec_/);
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('link', { name: receiver.url('/hook') }).click();
  await expect.poll(() => page.content()).not.toContain(secret);

  await page.getByRole('button', { name: 'Send test' }).click();
  const delivery = page.getByRole('listitem').filter({ hasText: 'webhook.test' });
  await delivery.getByText('Succeeded').waitFor();
  await delivery.locator('summary').click();
  await delivery.getByText('Answer 200').waitFor();
  await delivery.getByText('thank you').waitFor();
  const payload = JSON.parse(await delivery.getByRole('region', { name: 'Payload' }).innerText());
  expect(payload).toEqual(JSON.parse(receiver.at('/hook')[0]?.body ?? ''));
  await expectAccessible(page);

  await delivery.getByRole('button', { name: 'Redeliver' }).click();
  await expect.poll(() => receiver.at('/hook').length, { timeout: 45_000 }).toBe(2);
  const ids = receiver.at('/hook').map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(1);
  await delivery.getByText('2 attempts').waitFor();

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Rotate secret' }).click();
  await page.getByText('For 24 hours').waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate secret' }).click();
  await expect.poll(() => page.getByLabel('Signing secret', { exact: true }).inputValue()).not.toBe(secret);
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByText('Also signs, beside the new one').waitFor();
});

it('says why an endpoint was disabled, enables it again, filters its deliveries, and deletes it', async () => {
  const { t, open, owner } = dashboard;
  const { id } = await createWebhook(t, owner, { url: receiver.url('/gone'), events: ['record.created'] });
  await uploadCall(t, owner, { isSupplied: true });
  await expect
    .poll(async () => (await t.as(owner, { url: `/api/v1/webhooks/${id}` })).body.data.enabled, { timeout: 45_000 })
    .toBe(false);
  const page = await open(owner, `/webhooks/${id}?status=failed`);
  await page.getByText('the endpoint answered 410 Gone').waitFor();
  await page.getByRole('listitem').filter({ hasText: 'record.created' }).getByText('Failed').waitFor();
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Succeeded');
  await page.getByText('No delivery has this status').waitFor();
  expect(new URL(page.url()).searchParams.get('status')).toBe('succeeded');
  await page.getByRole('button', { name: 'Enable again' }).click();
  await page.getByText('Enabled', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL(/\/webhooks$/);
  await page.getByRole('link', { name: receiver.url('/gone') }).waitFor({ state: 'detached' });
  expect((await t.as(owner, { url: `/api/v1/webhooks/${id}` })).status).toBe(404);
});

it('lists the portals of the CRM under integrations, and refuses a code that is not good', async () => {
  const { open, owner, expectComplaints } = dashboard;
  expectComplaints('422 /api/trpc/portals.link');
  const page = await open(owner, '/webhooks?tab=integrations');
  await page.getByText('No portal is linked').waitFor();
  await page.getByRole('button', { name: 'Link a portal' }).click();
  await page.getByLabel('Domain of the portal').fill('acme.bitrix24.com');
  await page.getByLabel('Code').fill('nono-nono');
  await page.getByRole('dialog').getByRole('button', { name: 'Link', exact: true }).click();
  await page.getByRole('alert').waitFor();
  await expectAccessible(page);
  expect(await page.getByText('No portal is linked').count()).toBe(1);
});
