import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeAudio, wavHeader } from '../api/upload-support.ts';
import { startDashboard, type Dashboard } from '../support/dashboard.ts';

/** For what the service has to be asked about. */
const patient = { timeout: 45_000 };

let dashboard: Dashboard;
let folder: string;

beforeAll(async () => {
  // Failures of the pipeline are meant here; its log tells of each.
  dashboard = await startDashboard({ env: { LOG_LEVEL: 'silent' } });
  folder = await mkdtemp(path.join(tmpdir(), 'earshot-interruptions-'));
}, 300_000);
afterAll(async () => {
  await dashboard?.close();
  await rm(folder, { recursive: true, force: true });
});

async function upload(page: Page, files: Record<string, Buffer>): Promise<void> {
  const chosen = Object.keys(files).map((name) => path.join(folder, name));
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
  await page.getByRole('button', { name: 'Upload', exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=file]').setInputFiles(chosen);
  await dialog.getByRole('button', { name: /^Upload( \d files)?$/ }).click();
}

it('tells what is wrong with a broken file, which is uploaded once it has been mended and chosen again', async () => {
  const { open, owner, t, expectComplaints } = dashboard;
  expectComplaints('422 /api/v1/records/upload', 'net::ERR_UPLOAD_FILE_CHANGED');
  const flac = await makeAudio('flac');
  const wav = Buffer.concat([wavHeader(64_000), Buffer.alloc(63_956)]);
  const page = await open(owner, '/calls');
  const panel = page.getByRole('region', { name: 'Uploads' });
  const cut = wav.subarray(0, 20_000);
  await upload(page, { 'first.wav': wav, 'broken.wav': cut, 'damaged.flac': flac.subarray(0, 8_500) });
  const broken = panel.getByRole('listitem').filter({ hasText: 'broken.wav' });
  const isCutOff = /The recording is cut off: \d+ bytes of its sound are missing\./;
  await broken.getByText(isCutOff).waitFor(patient);
  await panel.getByRole('listitem').filter({ hasText: 'first.wav' }).getByText('Completed').waitFor(patient);

  // Its sound turns out to be damaged only when it is decoded.
  await panel.getByRole('listitem').filter({ hasText: 'damaged.flac' }).getByText('Failed').waitFor(patient);
  await panel.getByRole('link', { name: 'damaged.flac' }).click();
  await page.getByText('The recording cannot be decoded: it is damaged, or its type is wrong.').waitFor(patient);
  await page.getByText('retrying will not help').waitFor();

  const again = page.waitForResponse('**/records/upload');
  await panel.getByRole('button', { name: 'Retry broken.wav' }).click();
  expect((await again).status()).toBe(422);
  await broken.getByText(isCutOff).waitFor(patient);

  await writeFile(path.join(folder, 'broken.wav'), wav);
  await panel.getByRole('button', { name: 'Retry broken.wav' }).click();
  await broken.getByText('The file has been changed or moved since it was chosen. Choose it again.').waitFor(patient);
  await panel.getByRole('button', { name: 'Dismiss broken.wav' }).click();
  await page.getByRole('link', { name: 'Calls', exact: true }).first().click();
  await upload(page, { 'broken.wav': wav });
  await broken.getByText('Completed').waitFor(patient);
  const { body } = await t.as(owner, { url: '/api/v1/records' });
  expect(body.meta.total).toBe(3);
});

it('asks to sign in when the session ends under an open page, and goes on where the reader was', async () => {
  const { baseUrl, open, owner, expectComplaints } = dashboard;
  expectComplaints('401 /api/');
  const page = await open(owner, '/calls?status=failed&sort=duration');
  const link = page.locator('[data-row-link]');
  await expect.poll(() => link.count(), patient).toBe(1);
  const name = await page.evaluate<string>(endSession);
  expect(name).toMatch(/^oidc\.user:/);
  await page.getByRole('button', { name: 'Score', exact: true }).click();
  const signIn = page.getByRole('button', { name: 'Sign in' });
  await signIn.waitFor(patient);
  const { searchParams } = new URL(page.url());
  expect(searchParams.get('to')).toBe('/calls?status=failed&sort=qualityScore&order=desc');
  await signIn.click();
  // The provider may still know who it is.
  const person = page.getByRole('button', { name: /owner/ });
  await person.or(link).first().waitFor(patient);
  if (await person.isVisible()) await person.click();
  await page.waitForURL(`${baseUrl}${searchParams.get('to')}`, patient);
  await expect.poll(() => link.count(), patient).toBe(1);
});

/** The token is refused from now on, as one is whose key the provider has withdrawn. */
const endSession = `(() => {
  const name = Object.keys(sessionStorage).find((key) => key.startsWith('oidc.user:'));
  const user = JSON.parse(sessionStorage.getItem(name));
  for (const key of ['access_token', 'id_token']) {
    const [head, claims, signature] = (user[key] ?? '').split('.');
    if (signature) user[key] = [head, claims, [...signature].reverse().join('')].join('.');
  }
  sessionStorage.setItem(name, JSON.stringify(user));
  return name;
})()`;
