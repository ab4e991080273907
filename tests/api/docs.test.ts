import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { wavHeader } from './upload-support.ts';
import { operationsOf, type OpenApiJson } from './openapi-contract.ts';

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
async function visit(url: string): Promise<Visit> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1600 } });
  const requested: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(url);
  await page.locator('.opblock').first().waitFor();
  return { page, requested, complaints };
}

describe('the page at /docs', () => {
  it('shows every operation, and asks nobody but its own origin', async () => {
    const document: OpenApiJson = (await t.app.inject('/openapi.json')).json();
    const { page, requested, complaints } = await visit(`${baseUrl}/docs`);
    const shown = await page.locator('.opblock').count();
    expect(shown).toBe(operationsOf(document).length);
    for (const { operation } of operationsOf(document)) {
      expect(await page.getByText(operation.summary, { exact: true }).count()).toBeGreaterThan(0);
    }
    await page.locator('#operations-Analyses-getAnalysis .opblock-summary').click();
    await page.getByText('Scores, the answer and evidence').waitFor();
    expect(requested.filter((url) => !url.startsWith(baseUrl) && !url.startsWith('data:'))).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('sends a request with the token and the organization that are typed in', async () => {
    const { page, complaints } = await visit(`${baseUrl}/docs`);
    await page.getByLabel('API token').fill(owner.token);
    await page.getByLabel('Organization').fill(owner.orgId);
    await page.getByRole('button', { name: 'Use for requests' }).click();
    const operation = page.locator('#operations-Projects-listProjects');
    await operation.locator('.opblock-summary').click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation.locator('.live-responses-table').getByText(owner.projectId).first().waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('uploads a recording that is chosen there, and leaves empty fields out', async () => {
    const { page, complaints } = await visit(`${baseUrl}/docs`);
    await page.getByLabel('API token').fill(owner.token);
    await page.getByLabel('Organization').fill(owner.orgId);
    await page.getByRole('button', { name: 'Use for requests' }).click();
    const operation = page.locator('#operations-Records-uploadRecord');
    await operation.locator('.opblock-summary').click();
    const wav = Buffer.concat([wavHeader(16_044), Buffer.alloc(16_000)]);
    await operation.locator('input[type=file]').setInputFiles({ name: 'call.wav', mimeType: 'audio/wav', buffer: wav });
    await operation.locator('[data-property-name=projectId] input').first().fill(owner.projectId);
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation.locator('.live-responses-table').getByText('"pending"').first().waitFor();
    expect(await t.as(owner, { url: '/api/v1/records' })).toMatchObject({ body: { meta: { total: 1 } } });
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('forbids every other origin, and keeps no credential', async () => {
    const response = await t.app.inject('/docs');
    expect(response.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    const policy = String(response.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe/);
    const { page } = await visit(`${baseUrl}/docs/`);
    await page.getByLabel('API token').fill(owner.token);
    await page.getByLabel('Organization').fill(owner.orgId);
    await page.getByRole('button', { name: 'Use for requests' }).click();
    // As text: the names belong to the browser, which the compiler does not know here.
    const kept = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])');
    expect(kept).not.toContain(owner.token);
    await page.close();
  });
});
