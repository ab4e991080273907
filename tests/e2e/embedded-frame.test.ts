import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linkPortal } from '../../src/domain/embedded/service.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { clientId, clientSecret, startBitrix24, type Bitrix24Server } from '../support/bitrix24-server.ts';
import { shareBrowser, type SharedBrowser } from '../support/browser.ts';
import { expectAccessible } from '../support/dashboard.ts';
import { seedAnalysis, seedRecords } from '../support/seed.ts';

const memberId = 'a223c6b3710f85df22e9377d6c4f7553';
const token = 'frame-token';

let bitrix: Bitrix24Server;
let mallory: Server;
let t: TestApp;
let owner: TestMember;
let browser: SharedBrowser;
let context: BrowserContext;
/** Another host than the portal's, so that the frame is of another site. */
let service: string;

beforeAll(async () => {
  bitrix = await startBitrix24();
  t = await createTestApp({
    runPipeline: false,
    env: {
      BITRIX24_CLIENT_ID: clientId,
      BITRIX24_CLIENT_SECRET: clientSecret,
      BITRIX24_OAUTH_URL: bitrix.baseUrl,
      OUTBOUND_ALLOW: '127.0.0.1',
    },
  });
  service = (await t.listen()).replace('127.0.0.1', 'localhost');
  owner = await t.createOrg('Acme');
  const { connections, services } = t.deps;
  const portal = { memberId, domain: bitrix.domain };
  await linkPortal({ db: services.db, system: connections.system }, owner.orgId, portal);
  bitrix.users.set(7, { id: 7, isAdmin: true, firstName: 'Vera', lastName: '</script><b>Orlova' });
  bitrix.grants.set(token, { clientId, memberId, domain: bitrix.domain, userId: 7 });
  const form = { member_id: memberId, AUTH_ID: token, REFRESH_ID: 'none' };
  bitrix.pages.set('/page/portal', framingPage(form));
  for (const id of ['7', '8', '9']) {
    const placement = { PLACEMENT: 'CRM_DEAL_DETAIL_TAB', PLACEMENT_OPTIONS: JSON.stringify({ ID: id }) };
    bitrix.pages.set(`/page/deal-${id}`, framingPage({ ...form, ...placement }));
  }
  mallory = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(framingPage({ member_id: memberId, AUTH_ID: token, REFRESH_ID: 'none' }));
  });
  mallory.listen(0, '127.0.0.1');
  await once(mallory, 'listening');
  browser = await shareBrowser();
  context = await browser.newContext();
});
afterAll(async () => {
  await browser?.close();
  mallory?.close();
  await t?.close();
  await bitrix?.close();
});

/** A frame, and a form that opens the app in it, as a portal does. */
function framingPage(fields: Record<string, string>): string {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input name="${name}" value="${value.replaceAll('"', '&quot;')}">`,
  );
  const action = `${service}/embedded/bitrix24?DOMAIN=${bitrix.domain}`;
  return `<!doctype html><iframe name="app" width="880" height="640"></iframe>
<form method="post" target="app" action="${action}">${inputs.join('')}</form><script>document.forms[0].submit()</script>`;
}

async function openPortal(): Promise<{ page: Page; frame: Frame }> {
  const page = await context.newPage();
  await page.goto(`${bitrix.baseUrl}/page/portal`);
  await page.frameLocator('iframe').getByRole('heading', { name: 'Calls' }).waitFor();
  const frame = page.frame('app');
  if (!frame) throw new Error('The portal has a frame.');
  return { page, frame };
}

type Sent = { method?: string; path: string; body?: object };

/** What the app in the frame asks for: no credential but what the browser adds by itself. */
function send(frame: Frame, sent: Sent): Promise<{ status: number; body: string }> {
  return frame.evaluate(
    async ({ method = 'GET', path, body, orgId }) => {
      const headers = { 'x-selected-org-id': orgId, ...(body && { 'content-type': 'application/json' }) };
      const response = await fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      return { status: response.status, body: await response.text() };
    },
    { ...sent, orgId: owner.orgId },
  );
}

async function projectCount(): Promise<number> {
  return (await t.as(owner, { url: '/api/v1/projects' })).body.meta.total;
}

describe('a page of another site that frames the app', () => {
  it('gets a session cookie that is partitioned, and that no script reads', async () => {
    const { frame } = await openPortal();
    const [cookie, ...others] = await context.cookies(service);
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({
      name: '__Host-session',
      path: '/',
      secure: true,
      httpOnly: true,
      sameSite: 'None',
      partitionKey: expect.stringContaining('127.0.0.1'),
    });
    expect(await frame.evaluate('document.cookie')).toBe('');
  });

  it('is authenticated by it from then on, for reading and for changing', async () => {
    const { frame } = await openPortal();
    expect((await send(frame, { path: '/api/v1/projects' })).status).toBe(200);
    const created = await send(frame, { method: 'POST', path: '/api/v1/projects', body: { name: 'From the frame' } });
    expect(created.status).toBe(201);
    expect((await send(frame, { method: 'DELETE', path: '/api/v1/embedded/auth' })).status).toBe(204);
    expect((await send(frame, { path: '/api/v1/projects' })).status).toBe(401);
    expect(await context.cookies(service)).toEqual([]);
  });
});

describe('the tab of a deal', () => {
  async function openDeal(id: string): Promise<{ page: Page; frame: Frame }> {
    const page = await context.newPage();
    await page.setViewportSize({ width: 900, height: 700 });
    await page.goto(`${bitrix.baseUrl}/page/deal-${id}`);
    await page.frameLocator('iframe').getByRole('heading', { level: 1 }).waitFor();
    const frame = page.frame('app');
    if (!frame) throw new Error('The deal has a frame.');
    return { page, frame };
  }

  async function seedCalls(entityId: string, agents: string[]): Promise<void> {
    const crm = { entityType: 'deal', entityId };
    const ids = await seedRecords(
      t,
      owner,
      agents.map((agentName) => ({ crm, agentName, status: 'completed' as const, durationSeconds: 61 })),
    );
    for (const recordId of ids) await seedAnalysis(t, owner, { recordId });
  }

  it('lists the calls of the deal alone, without navigation, and leads back from each', async () => {
    await seedCalls('7', ['Ada', 'Grace']);
    const ofAnotherPortal = { entityType: 'deal', entityId: '7', portal: 'another' };
    await seedRecords(t, owner, [{ crm: ofAnotherPortal, agentName: 'Mallory', status: 'completed' }]);
    const { frame } = await openDeal('7');
    await frame.getByRole('heading', { name: 'Calls of this deal' }).waitFor();
    await frame.getByRole('link', { name: 'Ada' }).waitFor();
    await expect.poll(() => frame.getByRole('list', { name: 'Calls' }).getByRole('listitem').count()).toBe(2);
    await expect.poll(() => frame.getByRole('navigation', { name: 'Main' }).count()).toBe(0);
    await expectAccessible(frame);
    await frame.getByRole('link', { name: 'Grace' }).click();
    await frame.getByRole('heading', { name: /Grace/, level: 1 }).waitFor();
    await frame.getByRole('link', { name: 'Calls of this deal' }).click();
    await frame.getByRole('link', { name: 'Ada' }).waitFor();
  });

  it('opens its only call at once, and shows the list to whoever goes back', async () => {
    await seedCalls('8', ['Hedy']);
    const { frame } = await openDeal('8');
    await frame.getByRole('heading', { name: /Hedy/, level: 1 }).waitFor();
    await frame.getByRole('link', { name: 'Calls of this deal' }).click();
    const calls = frame.getByRole('list', { name: 'Calls' }).getByRole('link');
    await expect.poll(() => calls.allTextContents()).toEqual(['Hedy']);
  });

  it('says what comes where there is no call yet, and how to go on once the session has ended', async () => {
    const { frame } = await openDeal('9');
    await frame.getByText('No calls of this deal yet').waitFor();
    await expectAccessible(frame);
    expect((await send(frame, { method: 'DELETE', path: '/api/v1/embedded/auth' })).status).toBe(204);
    await frame.getByRole('button', { name: 'Look again' }).click();
    await frame.getByText('Open this tab of the CRM again to go on.').waitFor();
  });
});

describe('a page of a third site', () => {
  it('cannot frame the app', async () => {
    const page = await context.newPage();
    const refusals: string[] = [];
    page.on('console', (message) => refusals.push(message.text()));
    await page.goto(`http://127.0.0.1:${(mallory.address() as AddressInfo).port}/`);
    await expect.poll(() => refusals.join('\n')).toContain('frame-ancestors');
    expect(page.frame('app')?.url() ?? '').not.toContain('bitrix24');
  });

  it('changes nothing by a form or a script that it sends from inside the portal, cookie and all', async () => {
    const { page } = await openPortal();
    const before = await projectCount();
    const { port } = mallory.address() as AddressInfo;
    const attacker = `http://127.0.0.1:${port}`;
    // Below the same page: the browser sends the partitioned cookie along with what this frame posts.
    await page.evaluate(`{
      const frame = document.createElement('iframe');
      frame.name = 'attacker';
      frame.src = '${attacker}/?quiet';
      document.body.append(frame);
    }`);
    await expect.poll(() => page.frame('attacker')?.url()).toContain(attacker);
    const hostile = page.frame('attacker');
    if (!hostile) throw new Error('The attacker has a frame.');
    const answered = page.waitForResponse((response) => response.url() === `${service}/api/v1/projects`);
    await hostile.evaluate(`{
      const form = document.createElement('form');
      Object.assign(form, { method: 'post', action: '${service}/api/v1/projects', enctype: 'text/plain', target: 'sink' });
      const sink = document.createElement('iframe');
      sink.name = 'sink';
      const input = document.createElement('input');
      Object.assign(input, { name: '{"name":"forged","x":"', value: '"}' });
      form.append(input);
      document.body.append(sink, form);
      form.submit();
    }`);
    const response = await answered;
    const headers = await response.request().allHeaders();
    expect(headers['cookie']).toContain('__Host-session=');
    expect(headers['origin']).toBe(attacker);
    expect(response.status()).toBe(403);
    const scripted = await hostile.evaluate(
      ({ url, orgId }) =>
        fetch(url, { method: 'DELETE', credentials: 'include', headers: { 'x-selected-org-id': orgId } }).then(
          () => 'answered',
          () => 'blocked',
        ),
      { url: `${service}/api/v1/projects/${owner.projectId}`, orgId: owner.orgId },
    );
    expect(scripted).toBe('blocked');
    expect(await projectCount()).toBe(before);
  });
});
