import type { BrowserContext, Page } from 'playwright-core';

/** All in milliseconds, by the browser's own clock and entries (Resource Timing, Element Timing). */
export type RowsPainted = {
  /** From the request to the first byte of the answer. */
  serverMs: number;
  /** From the request to the last byte of the answer. */
  answerMs: number;
  /** From the last byte of the answer to the first new row on the screen. */
  paintMs: number;
};

const patienceMs = 30_000;

/** Has every page of that browser note when a row of a list of calls is painted. Before any page is opened. */
export async function watchRows(context: BrowserContext): Promise<void> {
  await context.addInitScript(watch);
}

/** What is done, and when its first new row was painted. The page may be loaded anew or not. */
export async function paintedRows(page: Page, act: () => Promise<unknown>): Promise<RowsPainted> {
  await page.evaluate('window.forgetRows?.()');
  await act();
  const lateAt = Date.now() + patienceMs;
  while (Date.now() < lateAt) {
    // While a page is left for another one, there is none to ask.
    const painted = await page.evaluate<RowsPainted | null>('window.rowsPainted?.() ?? null').catch(() => null);
    if (painted) return painted;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`No row was painted: ${page.url()}`);
}

/** Without a page load, as a link within the app does it. */
export async function goWithin(page: Page, address: string): Promise<void> {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(address)})`);
}

const watch = `(() => {
  let name, paintedMs, turn = 0;
  const seen = new WeakSet();
  window.forgetRows = () => {
    turn += 1;
    name = paintedMs = undefined;
    for (const link of document.querySelectorAll('[data-row-link]')) seen.add(link);
    performance.clearResourceTimings();
  };
  // The paint of an element is told where it bears this attribute by then; the observer runs before the paint.
  new MutationObserver(() => {
    if (name) return;
    const link = [...document.querySelectorAll('[data-row-link]')].find((each) => !seen.has(each));
    link?.setAttribute('elementtiming', (name = 'row-' + turn));
  }).observe(document, { childList: true, subtree: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.identifier === name) paintedMs ??= entry.renderTime;
  }).observe({ type: 'element', buffered: true });
  window.rowsPainted = () => {
    if (paintedMs === undefined) return null;
    const answers = performance.getEntriesByType('resource').filter(({ name, responseEnd }) =>
      /\\/api\\/trpc\\/[^?]*(records\\.list|search\\.query)/.test(name) && responseEnd > 0 && responseEnd <= paintedMs);
    const answer = answers.at(-1);
    if (!answer) return null;
    const { requestStart, responseStart, responseEnd } = answer;
    return { serverMs: responseStart - requestStart, answerMs: responseEnd - requestStart, paintMs: paintedMs - responseEnd };
  };
})()`;
