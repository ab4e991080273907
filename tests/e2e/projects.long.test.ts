import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { expectAccessible, holdNotice, startDashboard, type Dashboard } from '../support/dashboard.ts';
import { seedAnalysis, seedRecords } from '../support/seed.ts';

vi.setConfig({ testTimeout: 60_000 });

let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await startDashboard({ runPipeline: false });
}, 300_000);
afterAll(async () => dashboard?.close());

const rowOf = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });

async function choose(page: Page, project: string, item: RegExp): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${project}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

it('makes a project with its settings, and shows a refusal at the field that it concerns', async () => {
  const { t, owner, open, expectComplaints } = dashboard;
  const page = await open(owner, '/projects');
  await page.getByRole('button', { name: 'New project' }).click();
  const dialog = page.getByRole('dialog', { name: 'New project' });
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await dialog.getByText('Must not be empty.').waitFor();
  await expectAccessible(page);
  expectComplaints('409 /api/trpc/projects.create');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Default');
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await dialog.getByText('A project of this name exists.').waitFor();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Claims line');
  await dialog.getByLabel('Language').selectOption('en-GB');
  await dialog.getByLabel('Redact personal data').check();
  await dialog.getByLabel('Redact names of customers as well').check();
  await dialog.getByLabel(/Keep recordings/).fill('90');
  await dialog.getByLabel('Stereo recordings').selectOption({ label: 'Left is the customer, right the agent' });
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await rowOf(page, 'Claims line').waitFor();
  const { body } = await t.as(owner, { method: 'GET', url: '/api/v1/projects' });
  expect(body.data.find(({ name }: { name: string }) => name === 'Claims line')).toMatchObject({
    language: 'en-GB',
    settings: { redactPii: true, redactNames: true, retentionDays: 90, channelMap: { '0': 'customer', '1': 'agent' } },
  });
});

it('says what a shorter retention deletes before it is saved', async () => {
  const { owner, open } = dashboard;
  const page = await open(owner, '/projects');
  await choose(page, 'Claims line', /Edit/);
  const dialog = page.getByRole('dialog', { name: 'Edit project' });
  await expect.poll(() => dialog.getByLabel(/Keep recordings/).inputValue()).toBe('90');
  await expect.poll(() => dialog.getByLabel('Stereo recordings').inputValue()).toBe('customerFirst');
  await dialog.getByLabel(/Keep recordings/).fill('30');
  await dialog.getByText(/older than 30 days lose their recording/).waitFor();
  await dialog.getByLabel(/Keep recordings/).fill('');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => rowOf(page, 'Claims line').getByText('90 days').count()).toBe(0);
});

it('does not overwrite what somebody else has changed since the form was opened', async () => {
  const { t, owner, open, expectComplaints } = dashboard;
  const page = await open(owner, '/projects');
  await choose(page, 'Default', /Edit/);
  const dialog = page.getByRole('dialog', { name: 'Edit project' });
  await dialog.getByLabel('Description').fill('Mine');
  const url = `/api/v1/projects/${owner.projectId}`;
  await t.as(owner, { method: 'PATCH', url, payload: { description: 'Theirs' } });
  expectComplaints('412 /api/trpc/projects.update');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const told = page.getByText(/Somebody else has changed this in the meantime/);
  await dialog.getByRole('alert').and(told).waitFor();
  expect(await told.count()).toBe(1);
  const { body } = await t.as(owner, { url });
  expect(body.data.description).toBe('Theirs');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await choose(page, 'Default', /Edit/);
  await expect.poll(() => dialog.getByLabel('Description').inputValue()).toBe('Theirs');
  await dialog.getByLabel('Description').fill('Both');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect((await t.as(owner, { url })).body.data.description).toBe('Both');
});

it('shows the figures of each project and leads to its calls', async () => {
  const { t, owner, open } = dashboard;
  const [first = '', second = ''] = await seedRecords(t, owner, [
    { status: 'completed', durationSeconds: 60 },
    { status: 'completed', durationSeconds: 120 },
  ]);
  await seedAnalysis(t, owner, { recordId: first, qualityScore: 90 });
  await seedAnalysis(t, owner, { recordId: second, qualityScore: 60 });
  const page = await open(owner, '/projects');
  const row = rowOf(page, 'Default');
  await row.getByText('75').waitFor();
  await row.getByText('1:30').waitFor();
  await choose(page, 'Default', /calls/);
  await page.getByRole('heading', { name: 'Calls' }).waitFor();
  expect(new URL(page.url()).searchParams.get('projectId')).toBe(owner.projectId);
});

it('deletes an empty project at once, and brings it back on undo', async () => {
  const { t, owner, open } = dashboard;
  const page = await open(owner, '/projects');
  await choose(page, 'Claims line', /Delete/);
  await holdNotice(page);
  await rowOf(page, 'Claims line').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await rowOf(page, 'Claims line').waitFor();
  await choose(page, 'Claims line', /Delete/);
  await expect
    .poll(async () => (await t.as(owner, { method: 'GET', url: '/api/v1/projects' })).body.meta.total, {
      timeout: 20_000,
    })
    .toBe(1);
});

it('deletes a project with calls only after its name was typed', async () => {
  const { t, owner, open } = dashboard;
  const page = await open(owner, '/projects');
  await choose(page, 'Default', /Delete/);
  const dialog = page.getByRole('dialog', { name: /Delete/ });
  await dialog.getByText('This project still has 2 calls.').waitFor();
  const confirm = dialog.getByRole('button', { name: 'Delete project and calls' });
  await expect.poll(() => confirm.isDisabled()).toBe(true);
  await expectAccessible(page);
  await dialog.getByLabel(/to confirm/).fill('Default');
  await confirm.click();
  await page.getByText('No projects yet').waitFor();
  expect((await t.as(owner, { method: 'GET', url: '/api/v1/records' })).body.meta.total).toBe(0);
});

it('offers nothing to change to who may only read', async () => {
  const { t, owner, join, open } = dashboard;
  await t.as(owner, { method: 'POST', url: '/api/v1/projects', payload: { name: 'Sales line' } });
  for (const role of ['supervisor', 'agent'] as const) {
    const page = await open(await join(role), '/projects');
    await rowOf(page, 'Sales line').waitFor();
    await expect.poll(() => page.getByRole('button', { name: /New project|Actions for/ }).count()).toBe(0);
  }
});
