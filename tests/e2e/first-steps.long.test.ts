import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { records } from '../../src/db/schema/index.ts';
import type { TestMember } from '../support/app.ts';
import { expectAccessible, startDashboard, type Dashboard } from '../support/dashboard.ts';
import { seedAnalysis } from '../support/seed.ts';

const run = promisify(execFile);

let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await startDashboard({ runPipeline: false });
}, 300_000);
afterAll(async () => dashboard?.close());

function stepOf(page: Page, title: string) {
  return page.getByRole('button', { name: title });
}

async function newestRecord(member: TestMember): Promise<string | undefined> {
  const { body } = await dashboard.t.as(member, { url: '/api/v1/records' });
  return body.data[0]?.id;
}

it('leads from an empty organization to a scored call, a colleague and a key whose command works', async () => {
  const { open, t, owner } = dashboard;
  const page = await open(owner, '/', { reducedMotion: 'reduce' });
  await page.getByRole('heading', { name: 'Welcome to Earshot' }).waitFor();
  await expectAccessible(page);

  await page.getByLabel('Name of the organization').fill('Kingfisher');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /Kingfisher/ }).waitFor();

  await page.getByLabel('Name of the project').fill('Support line');
  await page.getByLabel('Stereo recordings').selectOption({ label: 'Left is the agent, right the customer' });
  await page.getByRole('button', { name: 'Save and go on' }).click();

  await page.getByRole('button', { name: 'Internet is down' }).click();
  await page.getByText('Waiting for its turn').waitFor();
  const recordId = (await newestRecord(owner)) ?? '';
  const record = await t.as(owner, { url: `/api/v1/records/${recordId}` });
  expect(record.body.data).toMatchObject({ agentName: 'Michael Carter', language: 'en', channels: 2 });
  await change(owner, recordId, { status: 'processing', stage: 'analyzing' });
  await page.locator('[aria-current=step]').getByText('Scoring').waitFor();
  await score(owner, recordId);
  await change(owner, recordId, { status: 'completed', stage: null, completedAt: new Date() });
  const answers = page.getByRole('list', { name: 'Some of the answers' });
  await answers.getByText('thank you for calling Bluebird').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Go on', exact: true }).click();

  await page.getByLabel('E-mail address').fill('colleague@kingfisher.example');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByText('colleague@kingfisher.example is invited').waitFor();
  await page.getByRole('button', { name: 'Go on', exact: true }).click();

  // Whoever made the organization was given a key already; another one can be made all the same.
  await stepOf(page, 'Connect your systems').click();
  await page.getByRole('button', { name: 'Create the key' }).click();
  const command = await page.getByRole('textbox', { name: /Paste this into a terminal/ }).inputValue();
  const { stdout } = await run('sh', ['-c', command]);
  expect(JSON.parse(stdout).data[0].id).toBe(recordId);
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('heading', { name: 'You are all set' }).waitFor();
  await expect.poll(() => page.getByRole('link', { name: /First steps/ }).count()).toBe(0);
  await expectAccessible(page);
});

it('is left, skipped, taken up again elsewhere and put away, by the keyboard and on a phone', async () => {
  const { open, t } = dashboard;
  const other = await t.createOrg('Riverside');
  const page = await open(other, '/first-steps', { viewport: { width: 375, height: 800 }, reducedMotion: 'reduce' });
  await stepOf(page, 'Name your organization').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  // The focus goes on to the next step.
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('Describe your calls');
  await page.getByRole('button', { name: 'Skip this step' }).click();
  await page.getByRole('button', { name: 'Choose a recording' }).waitFor();
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await expectAccessible(page);

  const elsewhere = await open(other, '/calls', { colorScheme: 'dark' });
  await elsewhere.getByRole('link', { name: /First steps\s*2 left/ }).click();
  await elsewhere.getByText('Skipped').first().waitFor();
  await elsewhere.getByRole('button', { name: 'Choose a recording' }).waitFor();
  await expectAccessible(elsewhere);
  await elsewhere.getByRole('button', { name: 'Put away' }).click();
  await expect.poll(() => elsewhere.getByRole('link', { name: /First steps/ }).count()).toBe(0);
  await elsewhere.getByRole('button', { name: 'Keep in the navigation' }).click();
  await elsewhere.getByRole('link', { name: /First steps/ }).waitFor();
});

/** As the pipeline would. */
async function change({ orgId }: TestMember, id: string, values: Partial<typeof records.$inferInsert>): Promise<void> {
  await dashboard.t.deps.services.db.withOrg(orgId, async (tx) => {
    await tx.update(records).set(values).where(eq(records.id, id));
  });
}

async function score(member: TestMember, recordId: string): Promise<void> {
  const { t } = dashboard;
  const evidence = [{ segmentId: 'seg_1', quote: 'thank you for calling Bluebird', startMs: 900, endMs: 2_000 }];
  await seedAnalysis(t, member, {
    recordId,
    qualityScore: 91,
    summary: 'The connection was repaired.',
    categories: { greeting: 91 },
    checks: [
      {
        key: 'greets',
        category: 'greeting',
        title: 'Greets the customer',
        answer: 'pass',
        score: 100,
        weight: 2,
        critical: false,
        rationale: 'The agent greets.',
        evidence,
      },
    ],
  });
}
