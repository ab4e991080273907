import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { shareBrowser, type SharedBrowser } from '../support/browser.ts';
import { expectAccessible } from '../support/dashboard.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startDeepgram, type DeepgramServer } from '../support/deepgram-server.ts';
import { writeTones } from '../support/models/tones.ts';
import { startService, type RunningService } from '../support/program.ts';

const run = promisify(execFile);
/** For what the pipeline has to do first. */
const patient = { timeout: 120_000 };
const password = 'turquoise otter 9';

let database: TestDatabase;
let service: RunningService;
let deepgram: DeepgramServer;
let browser: SharedBrowser;
let origin: string;
let folder: string;

beforeAll(async () => {
  deepgram = await startDeepgram([
    { speaker: 0, start: 0.2, end: 1.4, text: 'Thank you for calling Kingfisher, how can I help you?' },
    { speaker: 1, start: 1.6, end: 3.5, text: 'My parcel with the turquoise umbrella never arrived.' },
  ]);
  const env = { SPEECH_ENGINE: 'deepgram', DEEPGRAM_API_KEY: 'key', DEEPGRAM_BASE_URL: deepgram.baseUrl };
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'earshot-journey-'));
  service = await startService({ DATABASE_URL: database.url, DATA_DIR: path.join(folder, 'data'), ...env });
  origin = service.baseUrl;
  browser = await shareBrowser();
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await database?.drop();
  await deepgram?.close();
  await rm(folder, { recursive: true, force: true });
});

async function openBrowser(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  return page;
}

async function signIn(page: Page): Promise<void> {
  await page.getByText('Your account is ready.').waitFor();
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${origin}/`);
  await page.locator('main h1').first().waitFor();
}

const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent');

/** By the first session of README.md, from what its second command prints. */
it('leads a stranger from the printed link to an own call, a colleague in another browser, and a key that works', async () => {
  const page = await openBrowser();
  await expect.poll(() => service.printed()).toContain('Create the first account within an hour:');
  await page.goto(/http:\S+\/account\/links\/\S+/.exec(service.printed())?.[0] ?? '');
  await page.getByLabel('Your name').fill('Olga');
  await page.getByLabel('E-mail address').fill('olga@kingfisher.example');
  await page.getByLabel('Name of your organization').fill('Kingfisher');
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await signIn(page);

  // Whoever has just named the organization is not asked again.
  await page.getByText('1 of 5').waitFor();
  await page.getByLabel('Name of the project').fill('Support line');
  await page.getByRole('button', { name: 'Save and go on' }).click();
  await page.getByRole('button', { name: 'Choose a recording' }).waitFor();
  await page.reload();
  await page.getByText('2 of 5').waitFor();

  const recording = path.join(folder, 'first.wav');
  await writeTones(recording, 4_000, [{ hz: 300, startMs: 200, endMs: 3_500 }]);
  await uploadOwn(page, recording);
  const answers = page.getByRole('list', { name: 'Some of the answers' });
  await answers.getByRole('listitem').first().waitFor(patient);
  await expectAccessible(page);

  // Another one is followed like the first, and the steps go on meanwhile.
  await page.getByRole('button', { name: 'Try another call' }).click();
  await page.getByRole('button', { name: 'Back to the last call' }).waitFor();
  expect(await focused(page)).toContain('Choose a recording');
  await writeTones(recording, 4_000, [{ hz: 400, startMs: 200, endMs: 3_500 }]);
  await uploadOwn(page, recording);
  await page.getByRole('button', { name: /^Go on/ }).click();

  await page.getByLabel('E-mail address').fill('carl@kingfisher.example');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByText('This service sends no mail.').waitFor();
  expect(await focused(page)).toContain('carl@kingfisher.example is invited');
  const link = await page.getByRole('textbox', { name: /Pass this link on yourself/ }).inputValue();
  await expectAccessible(page);
  const colleague = await openBrowser();
  await colleague.goto(link);
  await colleague.getByLabel('Your name').fill('Carl');
  await colleague.getByLabel('Password').fill(password);
  await colleague.getByRole('button', { name: 'Join' }).click();
  await signIn(colleague);
  await colleague.getByText('Carl · supervisor').waitFor();

  await page.getByRole('button', { name: 'Go on', exact: true }).click();
  await page.getByRole('button', { name: 'Create the key' }).click();
  const command = await page.getByRole('textbox', { name: /Paste this into a terminal/ }).inputValue();
  const { stdout } = await run('sh', ['-c', command]);
  expect(JSON.parse(stdout).data).toHaveLength(2);
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('heading', { name: 'You are all set' }).waitFor();
  expect(await focused(page)).toContain('You are all set');
  await expectAccessible(page);

  // The next one is invited under Team.
  await page.getByRole('link', { name: 'Team' }).click();
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByLabel('E-mail address').fill('dana@kingfisher.example');
  await page.getByRole('button', { name: 'Send invite' }).click();
  await page.getByRole('dialog', { name: 'dana@kingfisher.example is invited' }).waitFor();
  await page.getByRole('textbox', { name: /Pass this link on yourself/ }).waitFor();
  await expectAccessible(page);
}, 400_000);

async function uploadOwn(page: Page, file: string): Promise<void> {
  await page.getByRole('button', { name: 'Choose a recording' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload calls' });
  await dialog.locator('input[type=file]').setInputFiles(file);
  await dialog.getByRole('button', { name: /^Upload/ }).click();
  await page.getByRole('button', { name: 'Choose a recording' }).waitFor({ state: 'detached' });
}
