import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { Role } from '../../src/model/role.ts';
import { createTestApp, type TestApp, type TestMember } from './app.ts';
import { shareBrowser, type SharedBrowser } from './browser.ts';

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

export type DashboardOptions = { env?: Record<string, string>; runPipeline?: boolean };

export type Dashboard = {
  t: TestApp;
  browser: SharedBrowser;
  baseUrl: string;
  owner: TestMember;
  /**
   * A browser of that member's own until the test ends, signed in by the real provider, at `path`. The test fails when
   * the page complains: a message in the console, a failed request, an answer that nobody expects.
   */
  open(member: TestMember, path?: string, options?: BrowserContextOptions): Promise<Page>;
  /** A further member of the owner's organization. */
  join(role: Role, projectIds?: string[] | null): Promise<TestMember>;
  /** What a test brings about on purpose, such as `403 /api/trpc/` for an answer; no page is blamed for it. */
  expectComplaints(...starts: string[]): void;
  close(): Promise<void>;
};

/** What a browser keeps of a sign-in: the provider's cookies, and the tokens of the tab as JSON. */
type SignedIn = { cookies: Awaited<ReturnType<BrowserContext['cookies']>>; session: string };

/** The whole service with the dashboard, an organization and a real Chromium. */
export async function startDashboard({ env = {}, runPipeline = true }: DashboardOptions = {}): Promise<Dashboard> {
  const t = await createTestApp({ runPipeline, env: { OIDC_EMBEDDED: '1', ...env } });
  const baseUrl = await t.listen();
  const owner = await t.createOrg('Bluebird');
  const browser = await shareBrowser();
  let expected: string[] = [];
  const signedIn = new Map<string, SignedIn>();

  /** What the page complains about from now on. */
  function watch(page: Page): string[] {
    const complaints: string[] = [];
    const complain = (text: string): void => {
      if (!expected.some((start) => text.startsWith(start))) complaints.push(text);
    };
    page.on('console', (message) => {
      // A refused request is told by its answer, below.
      const isAnswer = message.text().startsWith('Failed to load resource');
      if (['error', 'warning'].includes(message.type()) && !isAnswer) complain(message.text());
    });
    page.on('pageerror', (error) => complain(error.message));
    page.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText ?? '';
      // What a page that is left had asked for.
      if (reason !== 'net::ERR_ABORTED') complain(`${reason} ${request.url()}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) complain(`${response.status()} ${response.url().replace(baseUrl, '')}`);
    });
    return complaints;
  }

  /** Through the provider the first time; afterwards with what the browser kept of that. */
  async function signIn(page: Page, member: TestMember, path: string): Promise<void> {
    const known = signedIn.get(member.userId);
    if (known) {
      await page.context().addCookies(known.cookies);
      await page.goto(`${baseUrl}/favicon.svg`);
      await page.evaluate(`Object.assign(sessionStorage, ${known.session})`);
      await page.goto(`${baseUrl}${path}`);
      return;
    }
    const person = await t.deps.services.directory.findPerson(member.userId);
    if (!person) throw new Error('Only people sign in.');
    await page.goto(`${baseUrl}/sign-in?as=${encodeURIComponent(person.email)}&to=${encodeURIComponent(path)}`);
    await page.waitForURL(`${baseUrl}${path}`);
    const session = await page.evaluate<string>('JSON.stringify(sessionStorage)');
    signedIn.set(member.userId, { cookies: await page.context().cookies(), session });
  }

  return {
    t,
    browser,
    baseUrl,
    owner,
    async open(member, path = '/', options = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
      context.setDefaultTimeout(45_000);
      const page = await context.newPage();
      const complaints = watch(page);
      onTestFinished(async () => {
        await context.close();
        expect(complaints, 'complaints of the page').toEqual([]);
      });
      await signIn(page, member, path);
      await page.locator('main h1').first().waitFor();
      return page;
    },
    join: (role, projectIds) => t.addMember(owner, role, projectIds),
    expectComplaints: (...starts) => void (expected = [...expected, ...starts]),
    async close() {
      await browser.close();
      await t.close();
    },
  };
}

/** Keeps the page waiting for what it asks for at such addresses, until the function that it gives is called. */
export async function holdBack(page: Page, addresses: string): Promise<() => void> {
  const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>();
  await page.route(addresses, async (route) => {
    await arrival;
    await route.continue();
  });
  return arrive;
}

/** Points at the news, as a reader does who needs time: undo is offered until the pointer leaves. */
export async function holdNotice(page: Page): Promise<void> {
  await page.locator('[data-notice]').filter({ hasText: 'Undo' }).first().hover();
}

/** Nothing fades any more, and no list is pale since another is on its way. */
const isSettled = `!document.querySelector('[aria-busy=true]') && document.getAnimations().every(
  (animation) => animation.playState !== 'running' || animation.effect.getTiming().iterations === Infinity)`;

type Violation = { id: string; impact: string; nodes: { target: string[]; failureSummary: string }[] };

/** By axe-core, WCAG 2.2 AA: nothing serious or critical. Injected by the debugger, past the page's own policy. */
export async function expectAccessible(page: Pick<Page, 'evaluate'>): Promise<void> {
  const told = await graveViolations(page);
  // Something may have begun to fade after it was found to stand still.
  expect(told.length === 0 ? told : await graveViolations(page)).toEqual([]);
}

async function graveViolations(page: Pick<Page, 'evaluate'>): Promise<string[]> {
  await expect.poll(() => page.evaluate(isSettled)).toBe(true);
  await page.evaluate(await readFile(axeFile, 'utf8'));
  const tags = JSON.stringify(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']);
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    // Without preload: its copies of the style sheets in shadow trees are what the page's own policy refuses.
    `axe.run({ preload: false, runOnly: { type: 'tag', values: ${tags} } })`,
  );
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return grave.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join('; ')}`,
  );
}
