import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { newRecordId } from '../../src/domain/records/service.ts';
import { createRecord } from '../../src/domain/intake/service.ts';
import { suppliedTranscript } from '../pipeline/support/calls.ts';
import { expectAccessible, holdNotice, startDashboard, type Dashboard } from '../support/dashboard.ts';

vi.setConfig({ testTimeout: 120_000 });

let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await startDashboard();
}, 300_000);
afterAll(async () => dashboard?.close());

const ruleOf = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Rules' }).getByRole('listitem').filter({ hasText: name });

/** A call that comes with its transcript, so that the pipeline has nothing to recognise. */
async function sendCall(): Promise<string> {
  const { t, owner } = dashboard;
  const id = newRecordId();
  const record = {
    id,
    projectId: owner.projectId,
    source: 'upload',
    durationSeconds: 59,
    agentName: 'Maria Lopez',
  } as const;
  await t.deps.services.db.withOrg(owner.orgId, (tx) => createRecord(tx, record, suppliedTranscript(id)));
  return id;
}

it('says in words when a rule fires, and shows what is wrong at its field', async () => {
  const { t, owner, open } = dashboard;
  const page = await open(owner, '/alerts');
  await page.getByText('No alerts yet').waitFor();
  await page.getByRole('button', { name: 'New alert' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New alert' });
  await dialog.getByText(/Quality score is below 50/).waitFor();
  await dialog.getByLabel('Measure').selectOption({ label: 'Agent’s share of the talk' });
  await dialog.getByLabel('Comparison').selectOption({ label: 'is above' });
  await dialog.getByLabel('Value (%)').fill('70');
  await dialog.getByText(/Agent’s share of the talk is above 70 %/).waitFor();
  await dialog.getByLabel('To (optional)').fill('nobody');
  await dialog.getByRole('button', { name: 'Create alert' }).click();
  await dialog.getByText('“nobody” is not an e-mail address.').waitFor();
  await dialog.getByText('Must not be empty.').waitFor();
  await expectAccessible(page);
  await dialog.getByLabel('Name').fill('Talks too much');
  await dialog.getByLabel('To (optional)').fill('');
  await dialog.getByRole('button', { name: 'Create alert' }).click();
  await ruleOf(page, 'Talks too much').getByText('Has not fired').waitFor();
  await expectAccessible(page);
  expect((await t.as(owner, { url: '/api/v1/alerts' })).body.meta.total).toBe(1);
});

it('shows a firing by itself, and leads to its call', async () => {
  const { owner, open } = dashboard;
  const page = await open(owner, '/alerts');
  await page.getByRole('button', { name: 'New alert' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New alert' });
  await dialog.getByLabel('Name').fill('Low score');
  await dialog.getByLabel('Comparison').selectOption({ label: 'is at most' });
  await dialog.getByLabel('Value').fill('100');
  await dialog.getByRole('button', { name: 'Create alert' }).click();
  await ruleOf(page, 'Low score').getByText('Quality score is at most 100').waitFor();
  await ruleOf(page, 'Low score').getByRole('button', { name: 'Low score', exact: true }).click();
  const recordId = await sendCall();
  const firing = page.getByRole('list', { name: 'Firings' }).getByRole('link', { name: 'Call of Maria Lopez' });
  await firing.waitFor({ timeout: 45_000 });
  await ruleOf(page, 'Low score')
    .getByText(/Fired once/)
    .waitFor({ timeout: 45_000 });
  await expect.poll(() => firing.getAttribute('href')).toBe(`/calls/${recordId}`);
  await expectAccessible(page);
});

it('switches a rule off at once, and deletes one so that it can be taken back', async () => {
  const { t, owner, open } = dashboard;
  const page = await open(owner, '/alerts');
  const rules = async () => (await t.as(owner, { method: 'GET', url: '/api/v1/alerts' })).body;
  await ruleOf(page, 'Low score').getByRole('switch').click();
  await ruleOf(page, 'Low score').getByText('Off', { exact: true }).waitFor();
  await expect
    .poll(async () => (await rules()).data.find(({ name }: { name: string }) => name === 'Low score').enabled)
    .toBe(false);
  const remove = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Actions for Talks too much' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await ruleOf(page, 'Talks too much').waitFor({ state: 'detached' });
  };
  await remove();
  await holdNotice(page);
  await page.getByRole('button', { name: 'Undo' }).click();
  await ruleOf(page, 'Talks too much').waitFor();
  await remove();
  await expect.poll(async () => (await rules()).meta.total, { timeout: 45_000 }).toBe(1);
});

it('lets a supervisor look and change nothing, and shows an agent nothing', async () => {
  const { join, open } = dashboard;
  const page = await open(await join('supervisor'), '/alerts');
  await ruleOf(page, 'Low score').waitFor();
  await expect.poll(() => page.getByRole('switch').count()).toBe(0);
  await expect.poll(() => page.getByRole('button', { name: /New alert|Actions for/ }).count()).toBe(0);
  const agents = await open(await join('agent'), '/alerts');
  await agents.getByText('Your role does not include this').waitFor();
});
