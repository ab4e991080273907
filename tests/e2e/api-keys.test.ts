import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensureTools } from '../../src/provision/system-packages.ts';
import { expectAccessible, startDashboard, type Dashboard } from '../support/dashboard.ts';
import { runCommand } from '../support/program.ts';

let dashboard: Dashboard;

beforeAll(async () => {
  await ensureTools({ needed: ['curl'], mayInstall: true, say: (line) => process.stdout.write(`${line}\n`) });
  dashboard = await startDashboard({ runPipeline: false });
}, 300_000);
afterAll(async () => dashboard?.close());

it('shows a new key once; it works over HTTP until it is revoked, and is refused from then on', async () => {
  const { open, join, owner } = dashboard;
  const page = await open(await join('agent'), '/settings/api-keys');
  await page.getByRole('row', { name: /^test / }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create key' }).first().click();
  await page.getByLabel('Name').fill('Nightly import');
  await page.getByLabel('Expires').selectOption('30');
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  const key = await page.getByLabel('Key of Nightly import', { exact: true }).inputValue();
  expect(key).toMatch(/^cat_\w{40,}$/);
  const example = await page.getByLabel(/^Try it/).inputValue();
  expect(example).toContain(`Bearer ${key}`);
  expect(example).toContain(owner.orgId);
  await page.getByRole('button', { name: 'Copy: Key of Nightly import' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'I have stored it' }).click();

  const row = page.getByRole('row', { name: /Nightly import/ });
  await row.waitFor();
  await expect.poll(() => row.textContent()).toContain(`…${key.slice(-4)}`);
  await expect.poll(() => page.content()).not.toContain(key);
  // As it stands there, in a shell, by curl itself.
  const request = async () => JSON.parse((await runCommand('sh', ['-c', example], { env: {} })).stdout);
  expect(await request()).toMatchObject({ data: [], meta: { pageSize: 5 } });

  await row.getByRole('button', { name: 'Revoke Nightly import' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('Nightly import is revoked').waitFor();
  expect(await request()).toMatchObject({ error: { code: 'UNAUTHORIZED' } });
  await expect.poll(() => page.getByText('Nightly import', { exact: true }).count()).toBe(0);
});
