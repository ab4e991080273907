import { eq } from 'drizzle-orm';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { records } from '../../src/db/schema/index.ts';
import { seedRecords } from '../support/seed.ts';
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

describe('the page at /docs', { timeout: 60_000 }, () => {
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

  it('lets a stranger try the list of records: the token and the organization that are typed in are sent', async () => {
    const [id = ''] = await seedRecords(t, await t.createOrg(), [{}]);
    const [mine = ''] = await seedRecords(t, owner, [{ agentName: 'Vera Orlova' }]);
    const { page, complaints } = await visit(`${baseUrl}/docs`);
    await page.getByLabel('API token').fill(owner.token);
    await page.getByLabel('Organization').fill(owner.orgId);
    await page.getByRole('button', { name: 'Use for requests' }).click();
    const operation = page.locator('#operations-Records-listRecords');
    await operation.locator('.opblock-summary').click();
    const [response] = await Promise.all([
      page.waitForResponse((answer) => answer.url().startsWith(`${baseUrl}/api/v1/records`)),
      operation.getByRole('button', { name: 'Execute' }).click(),
    ]);
    expect(response.status()).toBe(200);
    const shown = operation.locator('.live-responses-table');
    await shown.getByText('Vera Orlova').first().waitFor();
    expect(await shown.locator('.response .response-col_status').first().innerText()).toMatch(/^200/);
    expect(await shown.innerText()).toContain(mine);
    expect(await shown.innerText()).not.toContain(id);
    expect(await shown.innerText()).toContain('x-request-id');
    await t.deps.services.db.withOrg(owner.orgId, (tx) => tx.delete(records).where(eq(records.id, mine)));
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('shows a refusal as it is answered, where nothing has been typed in', async () => {
    const { page } = await visit(`${baseUrl}/docs`);
    const operation = page.locator('#operations-Records-getRecord');
    await operation.locator('.opblock-summary').click();
    await operation.locator('tr[data-param-name=X-Selected-Org-ID] input').fill(owner.orgId);
    await operation.getByRole('button', { name: 'Execute' }).click();
    const shown = operation.locator('.live-responses-table');
    await shown.getByText('UNAUTHORIZED').first().waitFor();
    expect(await shown.locator('.response .response-col_status').first().innerText()).toMatch(/^401/);
    await page.close();
  });

  it('makes a new thing each time, with no key that would repeat the answer', async () => {
    const { page } = await visit(`${baseUrl}/docs`);
    await page.getByLabel('API token').fill(owner.token);
    await page.getByLabel('Organization').fill(owner.orgId);
    await page.getByRole('button', { name: 'Use for requests' }).click();
    const operation = page.locator('#operations-Alerts-createAlert');
    await operation.locator('.opblock-summary').click();
    const body = { name: 'From the page', condition: { field: 'qualityScore', operator: 'lt', value: 60 } };
    await operation.locator('textarea').first().fill(JSON.stringify(body));
    const statuses: number[] = [];
    for (let times = 0; times < 2; times++) {
      const [response] = await Promise.all([
        page.waitForResponse((answer) => answer.url() === `${baseUrl}/api/v1/alerts`),
        operation.getByRole('button', { name: 'Execute' }).click(),
      ]);
      statuses.push(response.status());
      expect(response.headers()).not.toHaveProperty('idempotent-replayed');
    }
    expect(statuses).toEqual([201, 201]);
    expect((await t.as(owner, { url: '/api/v1/alerts' })).body.meta.total).toBe(2);
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
      'referrer-policy': 'same-origin',
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
