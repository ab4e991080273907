import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { transcripts } from '../../src/db/schema/index.ts';
import { newId } from '../../src/lib/ids.ts';
import { expectAccessible, startDashboard, type Dashboard } from '../support/dashboard.ts';
import { seedAnalysis, seedRecords } from '../support/seed.ts';

vi.setConfig({ testTimeout: 90_000 });

let dashboard: Dashboard;
let recordId: string;

const said = [
  ['agent', 'Good morning, thank you for calling Green Valley.'],
  ['customer', 'I would like to know my balance.'],
  ['agent', 'Please hold the line, sunshine.'],
  ['customer', 'Thank you.'],
] as const;

beforeAll(async () => {
  dashboard = await startDashboard({ runPipeline: false });
  const { t, owner } = dashboard;
  const [id = ''] = await seedRecords(t, owner, [
    { status: 'completed', durationSeconds: 16, agentName: 'Maria Lopez' },
  ]);
  const segments = said.map(([role, text], index) => ({
    id: newId('segment'),
    index,
    speaker: role,
    role,
    channel: 0,
    startMs: index * 4000,
    endMs: index * 4000 + 3000,
    text,
    confidence: null,
    words: [],
  }));
  const speakers = (['agent', 'customer'] as const).map((role) => ({ id: role, role, name: null }));
  await t.deps.services.db.withOrg(owner.orgId, (tx) =>
    tx.insert(transcripts).values({
      orgId: owner.orgId,
      recordId: id,
      version: 1,
      language: 'en',
      source: 'supplied',
      channels: 1,
      speakers,
      segments,
    }),
  );
  const greets = {
    key: 'greeting.opens',
    category: 'greeting',
    title: 'Greets the customer',
    weight: 3,
    critical: false,
  };
  await seedAnalysis(t, owner, {
    recordId: id,
    checks: [{ ...greets, answer: 'fail', score: 0, rationale: 'No greeting.', evidence: [] }],
  });
  recordId = id;
}, 300_000);
afterAll(async () => dashboard?.close());

const preview = (page: Page): Locator => page.getByRole('region', { name: 'Preview' });
const openProfile = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('link', { name }).first().click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
};

it('makes a profile of a template in the languages of the calls, and opens it', async () => {
  const { t, owner, open } = dashboard;
  const page = await open(owner, '/profiles');
  await page.getByRole('button', { name: 'New profile' }).click();
  const dialog = page.getByRole('dialog', { name: 'New profile' });
  await dialog.getByRole('radio', { name: /Sales/ }).check();
  await dialog.getByLabel('German').check();
  await expectAccessible(page);
  await dialog.getByLabel('Name').fill('Outbound sales');
  await dialog.getByRole('button', { name: 'Create and edit' }).click();
  await page.getByRole('heading', { level: 1, name: 'Outbound sales' }).waitFor();
  const { body } = await t.as(owner, { method: 'GET', url: '/api/v1/profiles' });
  expect(body.data[1]).toMatchObject({ name: 'Outbound sales', languages: ['en', 'de'], version: 1 });
});

it('shows while one edits what the rubric makes of a call, with evidence and what differs, and saves a new version', async () => {
  const { t, owner, open } = dashboard;
  const page = await open(owner, '/profiles');
  await openProfile(page, 'Standard service call');
  const result = preview(page);
  await result.getByText('One answer differs').waitFor();
  await result.getByText('was fail').waitFor();
  await result.getByText('“Good morning').first().waitFor();
  await page.getByRole('button', { name: 'Add a check' }).first().click();
  await page
    .getByText('Untitled check')
    .or(page.getByRole('button', { name: /New check/ }))
    .first()
    .waitFor();
  const check = page.getByRole('group', { name: 'New check' });
  await check.getByLabel('Title').fill('Says sunshine');
  const edited = page.getByRole('group', { name: 'Says sunshine' });
  await edited.getByRole('textbox', { name: 'Phrases' }).fill('sunshine');
  await result
    .getByRole('listitem')
    .filter({ hasText: 'Says sunshine' })
    .getByText(/line, sunshine/)
    .waitFor();
  await expectAccessible(page);
  expect((await t.as(owner, { method: 'GET', url: '/api/v1/profiles' })).body.data[0].version).toBe(1);
  await page.getByRole('button', { name: 'Save as version 2' }).click();
  await page.getByText('Calls are scored by version 2 from now on.').waitFor();
  const { body } = await t.as(owner, { method: 'GET', url: '/api/v1/profiles' });
  const titles = body.data[0].categories[0].checks.map(({ title }: { title: string }) => title);
  expect(titles.at(-1)).toBe('Says sunshine');
});

it('shows a fault at its field and saves nothing, by the rules that the service has', async () => {
  const { t, owner, open } = dashboard;
  const page = await open(owner, '/profiles');
  await openProfile(page, 'Standard service call');
  await page.getByRole('button', { name: /^Says sunshine/ }).click();
  const check = page.getByRole('group', { name: 'Says sunshine' });
  await check.getByRole('textbox', { name: 'Phrases' }).fill('fine words\num hm');
  await page.getByRole('button', { name: /Says sunshine/, expanded: true }).click();
  await page.getByRole('button', { name: 'Save as version 3' }).click();
  await page.getByText('One field is not valid yet').waitFor();
  await check.getByText(/^Line 2: A phrase needs at least one word/).waitFor();
  await preview(page)
    .getByText(/The preview waits/)
    .waitFor();
  await expectAccessible(page);
  expect((await t.as(owner, { method: 'GET', url: '/api/v1/profiles' })).body.data[0].version).toBe(2);
});

it('moves a check by the keyboard, keeps the focus on it, and shows the share of a changed weight', async () => {
  const { owner, open } = dashboard;
  const page = await open(owner, '/profiles');
  await openProfile(page, 'Standard service call');
  const list = page.getByRole('list', { name: 'Checks of Greeting' });
  const row = list.getByRole('button', { name: /^Names the company/ });
  await row.focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(() => list.getByRole('listitem').first().innerText()).toContain('Names the company');
  await expect.poll(() => row.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);
  const greeting = page.getByRole('group', { name: 'Greeting', exact: true }).first();
  await greeting.getByLabel('Weight').fill('115');
  await greeting.getByText('58% of the score').waitFor();
});

it('asks before changes are lost', async () => {
  const { owner, open } = dashboard;
  const page = await open(owner, '/profiles');
  await openProfile(page, 'Outbound sales');
  await page.getByLabel('Description').fill('For the outbound team.');
  await page.getByRole('link', { name: 'All profiles' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('For the outbound team.');
  await page.getByRole('link', { name: 'All profiles' }).click();
  await dialog.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('heading', { level: 1, name: 'Profiles' }).waitFor();
});

it('takes the rubric as JSON, and says what is wrong with it', async () => {
  const { owner, open } = dashboard;
  const page = await open(owner, '/profiles');
  await openProfile(page, 'Outbound sales');
  await page.getByRole('button', { name: 'JSON' }).click();
  const json = page.getByLabel('Rubric as JSON');
  await expect.poll(() => json.inputValue()).toContain('"categories"');
  const rubric = JSON.parse(await json.inputValue());
  await json.fill(JSON.stringify({ ...rubric, categories: [] }));
  await page.getByText(/^categories: Must have at least 1 entry|^categories: Must not be empty/).waitFor();
  type Weighed = { weight: number };
  const weighed = rubric.categories.map((category: Weighed, index: number) => ({
    ...category,
    weight: index === 0 ? 7 : 0,
  }));
  await json.fill(JSON.stringify({ ...rubric, categories: weighed }));
  await page.getByRole('button', { name: 'Form' }).click();
  await page.getByText('100% of the score').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Save as version 2' }).isEnabled()).toBe(true);
});

it('moves a check to another category', async () => {
  const { owner, open } = dashboard;
  const page = await open(owner, '/profiles');
  await openProfile(page, 'Standard service call');
  await page.getByRole('button', { name: /^Names the company/ }).click();
  await page.getByRole('group', { name: 'Names the company or department' }).getByLabel('Category').selectOption({
    label: 'Closing',
  });
  const closing = page.getByRole('list', { name: 'Checks of Closing' });
  await closing.getByRole('button', { name: /^Names the company/, expanded: true }).waitFor();
  await expect.poll(() => closing.getByLabel('Category').inputValue()).not.toBe('');
  expect(await closing.getByLabel('Category').evaluate((field) => field === field.ownerDocument.activeElement)).toBe(
    true,
  );
  const greeting = page.getByRole('list', { name: 'Checks of Greeting' });
  expect(await greeting.getByRole('button', { name: /^Names the company/ }).count()).toBe(0);
});

it('overwrites nothing that somebody else saved meanwhile, unless one chooses to', async () => {
  const { t, owner, open, expectComplaints } = dashboard;
  expectComplaints('409 /api/trpc/profiles.update');
  const page = await open(owner, '/profiles');
  await openProfile(page, 'Outbound sales');
  const { data } = (await t.as(owner, { method: 'GET', url: '/api/v1/profiles' })).body;
  const { id, categories, version } = data.find(({ name }: { name: string }) => name === 'Outbound sales');
  const weighed = (weight: number) => [{ ...categories[0], weight }, ...categories.slice(1)];
  const saveElsewhere = (weight: number) =>
    t.as(owner, { method: 'PATCH', url: `/api/v1/profiles/${id}`, payload: { categories: weighed(weight) } });
  const stored = async () => {
    const { body } = await t.as(owner, { method: 'GET', url: `/api/v1/profiles/${id}` });
    return { version: body.data.version, weight: body.data.categories[0].weight };
  };
  const weight = page.getByRole('group', { name: categories[0].title, exact: true }).first().getByLabel('Weight');
  await weight.fill('77');
  await saveElsewhere(33);
  await page.getByRole('button', { name: `Save as version ${version + 1}` }).click();
  await page.getByText(`Somebody else has saved version ${version + 1} meanwhile.`).waitFor();
  await expectAccessible(page);
  expect(await stored()).toEqual({ version: version + 1, weight: 33 });
  await page.getByRole('button', { name: `Drop mine, load version ${version + 1}` }).click();
  await expect.poll(() => weight.inputValue()).toBe('33');

  await weight.fill('78');
  await saveElsewhere(34);
  await page.getByRole('button', { name: `Save as version ${version + 2}` }).click();
  await page.getByRole('button', { name: `Save mine as version ${version + 3}` }).click();
  await page.getByText(`Calls are scored by version ${version + 3} from now on.`).waitFor();
  expect(await stored()).toEqual({ version: version + 3, weight: 78 });
});

it('brings an earlier version back as a new one', async () => {
  const { t, owner, open } = dashboard;
  const page = await open(owner, '/profiles');
  await openProfile(page, 'Standard service call');
  await page.getByLabel('Version').selectOption('1');
  await page.getByText('You are looking at version 1 of 2.').waitFor();
  await expect.poll(() => page.getByRole('button', { name: /Says sunshine/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'Restore as version 3' }).click();
  await page.getByText('Restored as version 3').waitFor();
  expect((await t.as(owner, { method: 'GET', url: '/api/v1/profiles' })).body.data[0].version).toBe(3);
});

it('duplicates a profile, and deletes one that no project uses', async () => {
  const { t, owner, open } = dashboard;
  const page = await open(owner, '/profiles');
  await page.getByRole('button', { name: 'Actions for Standard service call' }).click();
  await expect
    .poll(() => page.getByRole('menuitem', { name: /a project uses it/ }).getAttribute('aria-disabled'))
    .toBe('true');
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await page.getByRole('link', { name: 'Standard service call (copy)' }).waitFor();
  await page.getByRole('button', { name: 'Actions for Standard service call (copy)' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('link', { name: 'Standard service call (copy)' }).waitFor({ state: 'detached' });
  await expect
    .poll(async () => (await t.as(owner, { method: 'GET', url: '/api/v1/profiles' })).body.meta.total, {
      timeout: 20_000,
    })
    .toBe(2);
});

it('lets a supervisor try a profile and change nothing; on a phone editor and preview are tabs', async () => {
  const { join, open } = dashboard;
  const supervisor = await join('supervisor');
  const page = await open(supervisor, '/profiles', { viewport: { width: 375, height: 800 } });
  await openProfile(page, 'Standard service call');
  await page.getByText('Your role may read this profile.').waitFor();
  await expect.poll(() => page.getByLabel('Name').isDisabled()).toBe(true);
  await expect.poll(() => page.getByRole('button', { name: /Add a|Remove|Move/ }).count()).toBe(0);
  await page.getByRole('tab', { name: 'Preview' }).click();
  await page.getByText('“Good morning').first().waitFor();
  await expect.poll(() => page.getByLabel('Call').inputValue()).toBe(recordId);
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await expectAccessible(page);
});
