import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible, startDashboard, type Dashboard } from '../support/dashboard.ts';
import type { TestMember } from '../support/app.ts';
import { seedAnalysis, seedRecords } from '../support/seed.ts';

const patient = { timeout: 45_000 };
const dayMs = 86_400_000;

let dashboard: Dashboard;
let agent: TestMember;
let worst: string;

beforeAll(async () => {
  dashboard = await startDashboard({ runPipeline: false });
  const { t, owner, join } = dashboard;
  agent = await join('agent');
  /** Two a day this week with 80 points and one a day of the week before with 60; the agent's own among them. */
  const calls = [
    ...Array.from({ length: 12 }, (_, n) => ({
      daysAgo: Math.floor(n / 2),
      score: 80,
      agentName: n % 2 ? 'Ann Archer' : 'Bob Baker',
    })),
    ...Array.from({ length: 6 }, (_, n) => ({ daysAgo: 7 + n, score: 60, agentName: 'Ann Archer' })),
    { daysAgo: 0, score: 12, agentName: 'Carl Cole' },
    { daysAgo: 0, score: 95, agentName: 'Own Agent', agentUserId: agent.userId },
  ];
  const ids = await seedRecords(
    t,
    owner,
    calls.map(({ daysAgo, score: _score, ...call }) => ({
      ...call,
      status: 'completed' as const,
      durationSeconds: 90,
      // Some minutes ago, so that it is in the past and mostly of the same day.
      createdAt: new Date(Date.now() - daysAgo * dayMs - 1000),
      completedAt: new Date(),
    })),
  );
  const check = { category: 'closing', weight: 1, critical: false, rationale: '', evidence: [] };
  for (const [index, { score }] of calls.entries()) {
    await seedAnalysis(t, owner, {
      recordId: ids[index] ?? '',
      qualityScore: score,
      categories: { greeting: score },
      complianceStatus: score < 50 ? 'failed' : 'passed',
      summary: score < 50 ? 'The agent hung up on the customer.' : 'All went well.',
      checks: [{ ...check, key: 'goodbye', title: 'Says goodbye', answer: score < 50 ? 'fail' : 'pass', score }],
    });
  }
  worst = ids[calls.findIndex(({ score }) => score === 12)] ?? '';
}, 300_000);
afterAll(async () => dashboard?.close());

function figure(page: Page, label: string): Promise<string | null> {
  return page.locator('dl > div').filter({ hasText: label }).locator('dd').textContent();
}

it('tells the figures of the week against the week before, in numbers and in words, light and dark', async () => {
  const { open, owner } = dashboard;
  const page = await open(owner, '/', { reducedMotion: 'reduce' });
  await expect.poll(() => figure(page, 'Calls'), patient).toMatch(/^14/);
  await expect.poll(() => figure(page, 'Calls')).toMatch(/\+133%/);
  await expect.poll(() => figure(page, 'Average score')).toMatch(/^76.*\+16\.2/);
  const changes = page.getByRole('region', { name: 'What changed' });
  await changes.getByText('The average score rose by 16.2 points to 76.').waitFor();
  await page.getByRole('img', { name: /14 calls over 7 days/ }).waitFor();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
});

it('leads to the worst call that nobody has reviewed with one click', async () => {
  const { open, owner } = dashboard;
  const page = await open(owner);
  const first = page.getByRole('region', { name: 'Calls to review' }).getByRole('listitem').first();
  await first.getByText('The agent hung up on the customer.').waitFor();
  await first.getByRole('link').click();
  await page.waitForURL(`**/calls/${worst}`);
  expect(page.url()).toContain(worst);
});

it('keeps period and project in the address, and shows every day as a table for who cannot see the chart', async () => {
  const { open, owner } = dashboard;
  const page = await open(owner, '/?period=30d');
  await expect.poll(() => figure(page, 'Calls'), patient).toBe('20');
  await page.getByText('There were no calls in the period before').waitFor();
  await page.getByLabel('Period').selectOption('Today');
  await page.waitForURL(/period=today/);
  await page.getByLabel('Project').selectOption({ index: 1 });
  await page.waitForURL(/projectId=prj_/);
  await page.getByLabel('Period').selectOption('Last 7 days');
  await expect.poll(() => figure(page, 'Calls'), patient).toMatch(/^14/);
  await page.getByRole('button', { name: 'Show as table' }).click();
  const days = page.getByRole('region', { name: 'Calls by day' }).getByRole('row');
  await expect.poll(() => days.count()).toBe(8);
  await expectAccessible(page);
});

it('sorts agents by each figure', async () => {
  const { open, owner } = dashboard;
  const page = await open(owner);
  const agents = page.getByRole('region', { name: 'Agents', exact: true }).last();
  const first = (): Promise<string | null> => agents.getByRole('row').nth(1).getByRole('cell').first().textContent();
  await expect.poll(first, patient).toBe('Ann Archer');
  await agents.getByRole('button', { name: 'Score' }).click();
  await expect.poll(first).toBe('Own Agent');
  await agents.getByRole('button', { name: 'Score' }).click();
  await expect.poll(first).toBe('Carl Cole');
  await agents.getByRole('button', { name: 'Failed compliance' }).click();
  await expect.poll(first).toBe('Carl Cole');
});

it('shows an agent their own calls alone', async () => {
  const { open } = dashboard;
  const page = await open(agent);
  await page.getByRole('heading', { name: 'Your calls', level: 1 }).waitFor();
  await expect.poll(() => figure(page, 'Calls'), patient).toBe('1');
  await expect.poll(() => page.getByText('Carl Cole').count()).toBe(0);
  await expect.poll(() => page.getByRole('region', { name: 'Agents' }).count()).toBe(0);
  await expectAccessible(page);
});

it('begins with the next steps where there are no calls, as far as the role may take them', async () => {
  const { t, open } = dashboard;
  const empty = await t.createOrg('Riverside');
  const page = await open(empty);
  const steps = page.getByRole('region', { name: 'First steps' }).getByRole('listitem');
  await expect.poll(() => steps.count(), patient).toBe(5);
  await expectAccessible(page);
  const reviewer = await open(await t.addMember(empty, 'reviewer'));
  const own = reviewer.getByRole('region', { name: 'First steps' }).getByRole('listitem');
  await expect.poll(() => own.count(), patient).toBe(1);
  await own.getByRole('link', { name: 'Create' }).waitFor();
});

it('tells where the figures cannot be had, and asks again on demand', async () => {
  const { open, owner, expectComplaints } = dashboard;
  expectComplaints('500 /api/trpc/overview.get');
  const page = await open(owner, '/calls');
  let isBroken = true;
  await page.route('**/api/trpc/overview.get*', (route) =>
    isBroken
      ? route.fulfill({
          status: 500,
          json: {
            error: {
              json: { message: 'No figures.', code: -32603, data: { httpStatus: 500, code: 'INTERNAL_SERVER_ERROR' } },
            },
          },
        })
      : route.fallback(),
  );
  await page.getByRole('link', { name: 'Overview' }).click();
  const part = page.getByRole('region', { name: 'Categories' });
  await part.getByText('No figures.').waitFor();
  isBroken = false;
  await part.getByRole('button', { name: 'Try again' }).click();
  await part.getByText('greeting', { exact: false }).first().waitFor();
  await expect.poll(() => page.getByText('No figures.').count()).toBe(0);
});

it('fits a phone', async () => {
  const { open, owner } = dashboard;
  const page = await open(owner, '/', { viewport: { width: 375, height: 800 } });
  await expect.poll(() => figure(page, 'Calls'), patient).toMatch(/^14/);
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await expectAccessible(page);
});
