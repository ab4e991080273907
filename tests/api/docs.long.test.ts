import { eq } from 'drizzle-orm';
import type { Browser, Page, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { records } from '../../src/db/schema/index.ts';
import { seedRecords } from '../support/seed.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { operationsOf, type OpenApiJson } from './openapi-contract.ts';
import { makeAudio } from './upload-support.ts';

/** The first run may have to install the browser. */
const installTimeoutMs = 300_000;

let t: TestApp;
let owner: TestMember;
let baseUrl: string;
let browser: Browser;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
  baseUrl = await t.listen();
  browser = await launchBrowser();
}, installTimeoutMs);
afterAll(async () => {
  await browser?.close();
  await t.close();
});

type Visit = { page: Page; requested: string[]; complaints: string[] };

/** The page with everything that it asks for and complains about: a refused request shows in the console. */
async function visit(url: string, size = { width: 1440, height: 900 }): Promise<Visit> {
  const page = await browser.newPage({ viewport: size });
  const requested: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(url);
  await page.getByRole('heading', { name: 'First call' }).waitFor();
  return { page, requested, complaints };
}

/** Types in who asks, once for all operations. */
async function signIn(page: Page): Promise<void> {
  await page.getByPlaceholder('Token').first().fill(owner.token);
  await page.getByPlaceholder('org_…').first().fill(owner.orgId);
}

async function openConsole(page: Page, place: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(place)}`);
  await page.locator(`[id="api-1/${place}"]`).getByRole('button', { name: 'Test Request' }).click();
  await page.getByRole('button', { name: 'Send' }).first().waitFor();
}

async function send(page: Page, address: string): Promise<Response> {
  const [response] = await Promise.all([
    page.waitForResponse((answer) => answer.url().startsWith(`${baseUrl}${address}`)),
    page.getByRole('button', { name: 'Send' }).first().click(),
  ]);
  return response;
}

describe('the page at /docs', () => {
  it('has guides apart from operations, finds every operation, and asks nobody but its own origin', async () => {
    const document: OpenApiJson = (await t.app.inject('/openapi.json')).json();
    const { page, requested, complaints } = await visit(`${baseUrl}/docs`);
    const guides = ['First call', 'Authentication', 'Errors', 'Paging', 'Repeating requests', 'Webhooks', 'Limits'];
    const sidebar = page.locator('[data-sidebar-id*="description/"]');
    for (const guide of guides) await sidebar.getByText(guide, { exact: true }).first().waitFor();
    for (const { operation } of operationsOf(document).slice(0, 5)) {
      await page.keyboard.press('Control+k');
      await page
        .getByPlaceholder(/search/i)
        .last()
        .fill(operation.summary);
      await page.getByRole('option').filter({ hasText: operation.summary }).first().waitFor();
      await page.keyboard.press('Escape');
    }
    expect(requested.filter((url) => !url.startsWith(baseUrl) && !url.startsWith('data:'))).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('shows the samples of an operation, on a telephone and in the dark as well', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, complaints } = await visit(`${baseUrl}/docs`, { width: 375, height: 740 });
      await page.emulateMedia({ colorScheme });
      await page.evaluate('location.hash = "tag/records/POST/records/upload"');
      const operation = page.locator('[id="api-1/tag/records/POST/records/upload"]');
      await operation.getByText('--form').first().waitFor();
      const wide: number = await page.evaluate('document.documentElement.scrollWidth');
      expect(wide).toBeLessThanOrEqual(375);
      expect(complaints).toEqual([]);
      await page.close();
    }
  });

  it('lets a stranger try the list of records: the token and the organization that are typed in are sent', async () => {
    const [id = ''] = await seedRecords(t, await t.createOrg(), [{}]);
    const [mine = ''] = await seedRecords(t, owner, [{ agentName: 'Vera Orlova' }]);
    const { page, complaints } = await visit(`${baseUrl}/docs`);
    await signIn(page);
    await openConsole(page, 'tag/records/GET/records');
    const response = await send(page, '/api/v1/records');
    expect(response.status()).toBe(200);
    const body = await response.text();
    expect(body).toContain(mine);
    expect(body).not.toContain(id);
    await page.getByText('Vera Orlova').first().waitFor();
    expect(new URL(response.url()).searchParams.has('from')).toBe(false);
    await t.deps.services.db.withOrg(owner.orgId, (tx) => tx.delete(records).where(eq(records.id, mine)));
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('shows a refusal as it is answered, where nothing has been typed in', async () => {
    const { page } = await visit(`${baseUrl}/docs`);
    await openConsole(page, 'tag/records/GET/records');
    expect((await send(page, '/api/v1/records')).status()).toBe(401);
    await page.getByText('UNAUTHORIZED').first().waitFor();
    await page.close();
  });

  it('makes a new thing each time, with no key that would repeat the answer', async () => {
    const { page } = await visit(`${baseUrl}/docs`);
    await signIn(page);
    await openConsole(page, 'tag/projects/POST/projects');
    const first = await send(page, '/api/v1/projects');
    const second = await send(page, '/api/v1/projects');
    // The second has the name of the first.
    expect([first.status(), second.status()]).toEqual([201, 409]);
    expect(second.headers()).not.toHaveProperty('idempotent-replayed');
    await page.close();
  });

  it('uploads the file that is chosen, and shows none before', async () => {
    const { page, complaints } = await visit(`${baseUrl}/docs`);
    await signIn(page);
    await openConsole(page, 'tag/records/POST/records/upload');
    await page.getByText('Select File').first().waitFor();
    expect(await page.getByText('call-4711.wav', { exact: true }).count()).toBe(0);
    const choosing = page.waitForEvent('filechooser');
    await page.getByText('Select File').first().click();
    await (await choosing).setFiles({ name: 'mine.wav', mimeType: 'audio/wav', buffer: await makeAudio('wav') });
    await page.getByText('prj_01m7ysd48genfrajd0czv7xhm3').last().click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type(owner.projectId);
    const response = await send(page, '/api/v1/records/upload');
    expect(response.status()).toBe(201);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('forbids every other origin, and keeps no credential', async () => {
    const response = await t.app.inject('/docs');
    expect(response.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
    const policy = String(response.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe|nonce|sha256/);
    const { page } = await visit(`${baseUrl}/docs/`);
    await signIn(page);
    await openConsole(page, 'tag/records/GET/records');
    await send(page, '/api/v1/records');
    // As text: the names belong to the browser, which the compiler does not know here.
    const kept = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])');
    expect(kept).not.toContain(owner.token);
    expect(kept).not.toContain(owner.orgId);
    await page.close();
  });

  it('is sent compressed, and not again while it is the same', async () => {
    const url = '/docs/reference.js';
    const plain = await t.app.inject({ url });
    const small = await t.app.inject({ url, headers: { 'accept-encoding': 'gzip, br' } });
    expect(small.headers['content-encoding']).toBe('br');
    expect(small.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
    const again = await t.app.inject({ url, headers: { 'if-none-match': String(plain.headers['etag']) } });
    expect(again.statusCode).toBe(304);
  });
});
