import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Page } from 'playwright-core';

/** What the same takes on the machine that the limits were taken on, with nothing else to do. */
const programMs = 30;
const loopMs = 44;
const rounds = 5;

/** How many times longer than there a program takes to start here and now; 1 where it is quicker. */
export async function slownessOfPrograms(): Promise<number> {
  let bestMs = Infinity;
  for (let round = 0; round < rounds; round += 1) {
    const from = performance.now();
    await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
    bestMs = Math.min(bestMs, performance.now() - from);
  }
  return Math.max(1, bestMs / programMs);
}

/** The same for a script of the page. */
export async function slownessOfPage(page: Pick<Page, 'evaluate'>): Promise<number> {
  const bestMs = await page.evaluate<number>(`(() => {
    let best = Infinity;
    let sum = 0;
    for (let round = 0; round < ${rounds}; round += 1) {
      const from = performance.now();
      for (let n = 0; n < 1e7; n += 1) sum = (sum * 31 + n) | 0;
      best = Math.min(best, performance.now() - from);
    }
    return sum === 0.5 ? 0 : best;
  })()`);
  return Math.max(1, bestMs / loopMs);
}
