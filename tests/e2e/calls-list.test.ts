import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDashboard, type Dashboard } from '../support/dashboard.ts';
import { goWithin, paintedRows, watchRows } from '../support/painted-rows.ts';
import { seedRecords } from '../support/seed.ts';
import { slownessOfPage } from '../support/slowness.ts';

/** For what the service has to be asked about. */
const patient = { timeout: 45_000 };
const rows = 100;

let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await startDashboard({ runPipeline: false });
  const { owner, t } = dashboard;
  for (const status of ['completed', 'failed', 'pending'] as const) {
    const calls = Array.from({ length: rows }, (_, index) => ({
      status,
      agentName: `${status} ${index}`,
      ...(status !== 'pending' && { completedAt: new Date(), durationSeconds: index }),
    }));
    await seedRecords(t, owner, calls);
  }
}, 300_000);
afterAll(() => dashboard?.close());

it('shows the first of a hundred calls within 300 ms of the answer', { timeout: 180_000 }, async () => {
  const { baseUrl, open, owner } = dashboard;
  const page = await open(owner, '/projects');
  await watchRows(page.context());
  // Four times as many as a page has, more than any screen is high.
  await page.route('**/api/trpc/**', (route, request) =>
    route.continue({ url: request.url().replace('pageSize%22%3A25', `pageSize%22%3A${rows}`) }),
  );
  const paintMsMax = 300 * (await slownessOfPage(page));
  const best = { openedMs: Infinity, filteredMs: Infinity };
  const isGood = (): boolean => Math.max(best.openedMs, best.filteredMs) < paintMsMax;
  // Other programs share the machine: the best of some rounds is what the screen itself takes.
  for (let round = 0; round < 10 && !isGood(); round += 1) {
    const opened = await paintedRows(page, () => page.goto(`${baseUrl}/calls?status=completed`));
    await expect.poll(() => page.locator('[data-row-link]').count(), patient).toBe(rows);
    const filtered = await paintedRows(page, () => goWithin(page, '/calls?status=failed'));
    best.openedMs = Math.min(best.openedMs, opened.paintMs);
    best.filteredMs = Math.min(best.filteredMs, filtered.paintMs);
  }
  expect(best.openedMs).toBeLessThan(paintMsMax);
  expect(best.filteredMs).toBeLessThan(paintMsMax);
});

it('asks how far a page of calls has come in few requests, far below the rate limit', async () => {
  const { open, owner } = dashboard;
  const page = await open(owner, '/calls?status=pending');
  await expect.poll(() => page.getByText('Waiting').count(), patient).toBeGreaterThan(20);
  let requests = 0;
  page.on('request', (request) => void (request.url().includes('/api/') && (requests += 1)));
  const from = performance.now();
  await page.waitForTimeout(5_000);
  const [asked, seconds] = [requests, (performance.now() - from) / 1000];
  // One every two seconds for the rows, and the list itself every four.
  expect(asked).toBeGreaterThanOrEqual(2);
  expect(asked).toBeLessThanOrEqual(6 * (seconds / 5));
});
