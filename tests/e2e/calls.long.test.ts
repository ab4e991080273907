import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible, holdBack, holdNotice, startDashboard, type Dashboard } from '../support/dashboard.ts';
import { startDeepgram, type DeepgramServer } from '../support/deepgram-server.ts';
import { writeTones } from '../support/models/tones.ts';
import { seedAnalysis, seedRecords } from '../support/seed.ts';

/** For what the service has to be asked about. */
const patient = { timeout: 45_000 };

let dashboard: Dashboard;
let deepgram: DeepgramServer;
let folder: string;
let files: string[];

beforeAll(async () => {
  deepgram = await startDeepgram([
    { speaker: 0, start: 0.2, end: 1.4, text: 'Thank you for calling Bluebird, how can I help you?' },
    { speaker: 1, start: 1.6, end: 3.5, text: 'My parcel with the turquoise umbrella never arrived.' },
  ]);
  const env = { SPEECH_ENGINE: 'deepgram', DEEPGRAM_API_KEY: 'key', DEEPGRAM_BASE_URL: deepgram.baseUrl };
  dashboard = await startDashboard({ env });
  folder = await mkdtemp(path.join(tmpdir(), 'earshot-calls-'));
  files = ['first.wav', 'second.wav', 'third.wav'].map((name) => path.join(folder, name));
  await Promise.all(
    files.map((file, index) => writeTones(file, 4_000, [{ hz: 300 + 50 * index, startMs: 200, endMs: 3_500 }])),
  );
}, 300_000);
afterAll(async () => {
  await dashboard?.close();
  await deepgram?.close();
  await rm(folder, { recursive: true, force: true });
});

async function choose(page: Page, chosen: string[]): Promise<void> {
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await page.getByRole('dialog').locator('input[type=file]').setInputFiles(chosen);
}

it('uploads several recordings at once, which complete in the list without a reload; what is no audio is told', async () => {
  const { open, owner, expectComplaints } = dashboard;
  expectComplaints('415 /api/v1/records/upload');
  const noAudio = path.join(folder, 'notes.wav');
  await writeFile(noAudio, 'These are no sounds.'.repeat(100));
  const page = await open(owner, '/calls');
  await page.getByText('No calls yet').waitFor();
  await choose(page, [...files.slice(0, 2), noAudio, ...files.slice(2)]);
  await page.getByLabel('Agent (optional)').fill('Ann Archer');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Upload 4 files' }).click();
  const panel = page.getByRole('region', { name: 'Uploads' });
  await panel.getByText('Earshot cannot read this file').waitFor();
  // Uploads go on while the reader is elsewhere.
  await page.getByRole('link', { name: 'Projects' }).click();
  await page.getByRole('heading', { name: 'Projects' }).waitFor();
  await page.getByRole('link', { name: 'Calls' }).click();
  await expect.poll(() => panel.getByText('Completed').count(), { timeout: 45_000 }).toBe(3);
  await panel.getByText('3 uploaded, 1 not').waitFor();
  // What has ended is told to those who hear the screen as well.
  await page.getByRole('status').getByText('3 uploaded, 1 not').waitFor({ state: 'attached' });
  await expect.poll(() => page.getByRole('status').getByText('is completed').count()).toBe(3);
  const rows = page.getByRole('region', { name: 'Calls' }).getByRole('row').filter({ hasText: 'Ann Archer' });
  await expect.poll(() => rows.filter({ hasText: 'Completed' }).count(), { timeout: 45_000 }).toBe(3);
  await expectAccessible(page);
});

it('tells what the other answers mean, pauses where they concern every file, and goes on after a retry', async () => {
  const { open, owner, expectComplaints } = dashboard;
  expectComplaints('402 /api/v1/records/upload', '429 /api/v1/records/upload');
  const page = await open(owner, '/calls');
  const answers: { status: number; headers: Record<string, string>; code: string }[] = [
    { status: 429, headers: { 'retry-after': '5' }, code: 'RATE_LIMITED' },
    { status: 402, headers: {}, code: 'BUDGET_EXCEEDED' },
  ];
  const keys: string[] = [];
  await page.route('**/api/v1/records/upload', async (route) => {
    keys.push(route.request().headers()['idempotency-key'] ?? '');
    const answer = answers.shift();
    if (!answer) return route.fallback();
    const json = { success: false, error: { code: answer.code, message: 'No.' } };
    return route.fulfill({ status: answer.status, headers: answer.headers, json });
  });
  await choose(page, files.slice(0, 1));
  await page.getByRole('dialog').getByRole('button', { name: 'Upload', exact: true }).click();
  const panel = page.getByRole('region', { name: 'Uploads' });
  await panel.getByText(/Too many requests at the moment.*Goes on in/).waitFor();
  await panel.getByText("This month's budget is used up").waitFor();
  await panel.getByRole('button', { name: 'Retry first.wav' }).click();
  await panel.getByText('1 file uploaded').waitFor();
  // The same one until it was answered for good, so that nothing is uploaded twice.
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[1]);
});

it('takes files that are dropped anywhere', async () => {
  const { open, owner } = dashboard;
  const page = await open(owner, '/');
  const transfer = await page.evaluateHandle(`(() => {
    const data = new DataTransfer();
    data.items.add(new File(['RIFF'], 'dropped.wav', { type: 'audio/wav' }));
    return data;
  })()`);
  const hint = page.getByText('Drop recordings to upload them');
  const drag = async (): Promise<number> => {
    await page.dispatchEvent('body', 'dragenter', { dataTransfer: transfer });
    return hint.count();
  };
  await expect.poll(drag, patient).toBe(1);
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
  await page.getByRole('dialog').getByText('dropped.wav').waitFor();
  await expect.poll(() => hint.count()).toBe(0);
});

it('filters on the server, keeps what applies in the address, and remembers views by name', async () => {
  const { t, open, owner } = dashboard;
  const failed = { status: 'failed' as const, agentName: 'Frida Fail', completedAt: new Date() };
  await seedRecords(t, owner, [failed, { ...failed, agentName: 'Fred Fail' }]);
  const page = await open(owner, '/calls');
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByLabel('Status').selectOption('Failed');
  await page.waitForURL(/status=failed/);
  await expect.poll(() => page.locator('[data-row-link]').count(), patient).toBe(2);
  await page.getByLabel('Period').selectOption('Today');
  await page.waitForURL(/period=today/);
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save this view' }).click();
  await page.getByLabel('Name').fill('Failed today');
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByRole('button', { name: 'Remove filter Failed' }).click();
  await expect.poll(() => page.locator('[data-row-link]').count(), patient).toBeGreaterThan(2);
  await page.reload();
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Failed today' }).click();
  await page.waitForURL(/status=failed/);
  await expect.poll(() => page.locator('[data-row-link]').count(), patient).toBe(2);
});

it('narrows by agent, score and compliance, and gives them back from the address', async () => {
  const { t, open, owner } = dashboard;
  const calls = [20, 55, 90].map((score) => ({ score, agentName: 'Nora Narrow', status: 'completed' as const }));
  const ids = await seedRecords(
    t,
    owner,
    calls.map(({ score: _score, ...call }) => ({ ...call, completedAt: new Date() })),
  );
  for (const [index, { score }] of calls.entries()) {
    const complianceStatus = score < 50 ? 'failed' : 'passed';
    await seedAnalysis(t, owner, { recordId: ids[index] ?? '', qualityScore: score, complianceStatus });
  }
  const page = await open(owner, '/calls?agent=Nora+Narrow');
  const rows = page.locator('[data-row-link]');
  await expect.poll(() => rows.count(), patient).toBe(3);
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByLabel('Score from').fill('50');
  await page.keyboard.press('Enter');
  await expect.poll(() => rows.count(), patient).toBe(2);
  await page.getByLabel('Score to').fill('60');
  await page.keyboard.press('Enter');
  await expect.poll(() => rows.count(), patient).toBe(1);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Remove filter Score 50–60' }).click();
  await page.getByLabel('Compliance').selectOption('Failed');
  await expect.poll(() => rows.count(), patient).toBe(1);
  await page.reload();
  await expect.poll(() => rows.count(), patient).toBe(1);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect.poll(() => rows.count(), patient).toBeGreaterThan(3);
});

it('finds a call by what was said, marks it, and opens it at that moment', async () => {
  const { open, owner } = dashboard;
  const page = await open(owner, '/calls');
  await page.keyboard.press('/');
  await page.keyboard.type('turquoise umbrella');
  await page.waitForURL(/q=turquoise/);
  const hit = page
    .getByRole('list', { name: 'Search results' })
    .getByRole('listitem')
    .filter({ hasText: /^Said/ })
    .first();
  await hit.waitFor();
  await expect.poll(() => hit.locator('mark').allTextContents()).toContain('turquoise');
  await expectAccessible(page);
  await hit.getByRole('link').click();
  await page.waitForURL(/\/calls\/rec_[^?]+\?t=\d+/);
  const at = Number(new URL(page.url()).searchParams.get('t'));
  expect(at).toBeGreaterThanOrEqual(1_600);
  expect(at).toBeLessThan(3_500);
});

it('goes through the list by keyboard', async () => {
  const { open, owner } = dashboard;
  const page = await open(owner, '/calls');
  const links = page.locator('[data-row-link]');
  await links.first().waitFor();
  for (const key of ['j', 'j', 'k', 'j', 'x']) await page.keyboard.press(key);
  await page.getByText('1 selected').waitFor();
  const target = await links.nth(1).getAttribute('href');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${target}`);
  expect(target).toMatch(/^\/calls\/rec_/);
});

it('deletes several calls, brings them back on undo, and deletes for good without it', async () => {
  const { t, open, owner } = dashboard;
  await seedRecords(
    t,
    owner,
    [1, 2, 3].map((n) => ({ agentName: `Dora ${n}`, status: 'failed' as const })),
  );
  const page = await open(owner, '/calls?status=failed');
  const rows = page.getByRole('row').filter({ hasText: 'Dora' });
  await expect.poll(() => rows.count(), patient).toBe(3);
  const choose = async (): Promise<void> => {
    for (const n of [1, 2]) await page.getByRole('checkbox', { name: new RegExp(`call of Dora ${n}`) }).check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => rows.count(), patient).toBe(1);
  };
  await choose();
  await holdNotice(page);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => rows.count(), patient).toBe(3);
  await choose();
  const left = async (): Promise<number> => {
    const { body } = await t.as(owner, { url: '/api/v1/records?status=failed&pageSize=100' });
    return body.data.filter(({ agentName }: { agentName: string }) => agentName.startsWith('Dora')).length;
  };
  expect(await left()).toBe(3);
  await expect.poll(left, { timeout: 45_000 }).toBe(1);
  await expect.poll(() => rows.count()).toBe(1);
});

it('offers undo on a slow line too, and for as long as the reader points at it', async () => {
  const { t, owner, open } = dashboard;
  await seedRecords(t, owner, [{ agentName: 'Sally Slow', status: 'failed' as const }]);
  const page = await open(owner, '/calls');
  const arrive = await holdBack(page, '**/toast-viewport-*.js');
  await page.reload();
  const row = page.getByRole('row').filter({ hasText: 'Sally Slow' });
  await page.getByRole('checkbox', { name: /call of Sally Slow/ }).check();
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => row.count(), patient).toBe(0);
  arrive();
  await holdNotice(page);
  // Longer than it is offered unasked.
  await page.waitForTimeout(7_000);
  await page.getByRole('button', { name: 'Undo' }).click();
  await row.waitFor(patient);
  const { body } = await t.as(owner, { url: '/api/v1/records?agentName=Sally%20Slow' });
  expect(body.data).toHaveLength(1);
});

it('re-analyzes several calls by the profile that is chosen, and tells which could not be', async () => {
  const { t, open, owner, expectComplaints } = dashboard;
  expectComplaints('409 /api/trpc/', '207 /api/trpc/');
  const names = ['Gus Good', 'Bea Bare', 'Rita Read'];
  const [good = '', bare = '', reviewed = ''] = await seedRecords(
    t,
    owner,
    names.map((agentName) => ({ agentName, status: 'completed' as const, completedAt: new Date() })),
  );
  await seedAnalysis(t, owner, { recordId: good });
  const id = await seedAnalysis(t, owner, { recordId: reviewed });
  const payload = { verdict: 'approved' };
  await t.as(owner, { method: 'POST', url: `/api/v1/analyses/${id}/review`, payload });
  const page = await open(owner, '/calls?sort=createdAt');
  for (const name of names) {
    await page.getByRole('checkbox', { name: new RegExp(`call of ${name}`) }).check();
  }
  await page.getByRole('toolbar').getByRole('button', { name: 'Re-analyze' }).click();
  const dialog = page.getByRole('dialog');
  await expect.poll(() => dialog.getByLabel('Profile').inputValue(), patient).toMatch(/^prf_/);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Re-analyze' }).click();
  await dialog.getByText('1 of 3 is being re-analyzed.').waitFor();
  await dialog.getByRole('list', { name: 'Not re-analyzed' }).getByText('Bea Bare').waitFor();
  await dialog.getByText('One call was reviewed and is left as it is.').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const versions = async (recordId: string): Promise<number> => {
    const { body } = await t.as(owner, { url: `/api/v1/analyses?recordId=${recordId}&versions=all` });
    return body.meta.total;
  };
  await expect.poll(() => versions(good)).toBe(2);
  expect(await versions(reviewed)).toBe(1);
  expect(bare).not.toBe('');
});

it('exports what the filters leave as a table that no spreadsheet reads as formulas', async () => {
  const { t, open, owner } = dashboard;
  await seedRecords(t, owner, [{ agentName: '=HYPERLINK("x")', status: 'failed' }]);
  const page = await open(owner, '/calls?status=failed');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const text = await readFile(await (await downloading).path(), 'utf8');
  const { body } = await t.as(owner, { url: '/api/v1/records?status=failed' });
  expect(text.split('\r\n')[0]).toContain('id,externalId,tookPlace,received,agent');
  expect(text.trim().split('\r\n')).toHaveLength(body.meta.total + 1);
  expect(text).toContain(`"'=HYPERLINK(""x"")"`);
});

it('offers an agent neither selection nor deletion', async () => {
  const { open, join } = dashboard;
  const page = await open(await join('agent'), '/calls');
  await page.getByText('No calls yet').waitFor();
  await expect.poll(() => page.getByRole('checkbox').count()).toBe(0);
  await page.getByRole('button', { name: 'Upload', exact: true }).waitFor();
});

it('fits a phone: nothing is wider than the screen, and every row tells who, when and how good', async () => {
  const { open, owner } = dashboard;
  const page = await open(owner, '/calls', { viewport: { width: 375, height: 800 } });
  await page.locator('[data-row-link]').first().waitFor();
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await expectAccessible(page);
});
