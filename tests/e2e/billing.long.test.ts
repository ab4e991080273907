import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { readSummary, uploadCall } from '../api/billing-support.ts';
import { grantCredits } from '../../src/domain/billing/service.ts';
import { expectAccessible, startDashboard, type Dashboard } from '../support/dashboard.ts';

let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await startDashboard({ env: { PRICE_TRANSCRIPTION_PER_MINUTE: '0.5', PRICE_ANALYSIS_PER_RECORD: '2' } });
  const { t, owner } = dashboard;
  const { db } = t.deps.services;
  await grantCredits({ db }, { orgId: owner.orgId, type: 'grant', amount: '25', description: 'To begin with' });
  await uploadCall(t, owner, { isSupplied: true });
  await vi.waitUntil(async () => (await readSummary(t, owner)).totalRecords === 1, { timeout: 60_000 });
}, 300_000);
afterAll(async () => dashboard?.close());

it('tells what the month has cost, by day and project, the credits with each entry, and the prices', async () => {
  const { open, owner } = dashboard;
  const page = await open(owner, '/billing');
  await page.getByText('$2.00 for 1 recording,').waitFor();
  await page.getByRole('img', { name: /Cost over the period/ }).waitFor();
  await page.getByText('Show the figures').click();
  const figures = page.getByRole('region', { name: 'Usage', exact: true });
  await expect.poll(() => figures.getByRole('row').last().textContent()).toMatch(/\$2\.00$/);
  await expect.poll(() => page.getByRole('row', { name: /^Default 1/ }).textContent()).toContain('$2.00');
  await page.getByRole('row', { name: /Grant To begin with \+\$25\.00 \$25\.00/ }).waitFor();
  await page.getByText('The balance is $23.00.').waitFor();
  await page.getByText('$0.50').waitFor();
  await expectAccessible(page);
});

it('keeps the period in the address, and says where it holds no usage', async () => {
  const { open, owner } = dashboard;
  const page = await open(owner, '/billing?from=2025-01-01&to=2025-01-31');
  await page.getByText('Nothing was processed in this period').waitFor();
  await expect.poll(() => page.getByLabel('From').inputValue()).toBe('2025-01-01');
  await page.getByRole('combobox', { name: 'Period' }).selectOption('Last 12 months');
  await page.getByRole('heading', { name: 'Cost by month' }).waitFor();
  await page.getByText('$2.00 for 1 recording,').waitFor();
  expect(new URL(page.url()).searchParams.get('from')).toMatch(/^\d{4}-\d\d-01$/);
});

it('lets the owner set the budget, and says how much of it is used', async () => {
  const { t, open, owner } = dashboard;
  const page = await open(owner, '/billing');
  await page.getByRole('button', { name: 'Set a budget' }).click();
  await page.getByLabel('Limit').fill('2.5');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('80 % used').waitFor();
  expect((await readSummary(t, owner)).budgetLimit).toBe(2.5);
  await page.getByRole('button', { name: 'Change budget' }).click();
  await page.getByLabel('Limit').fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('There is no limit: every call is processed.').waitFor();
  expect((await readSummary(t, owner)).budgetLimit).toBeNull();
});
