import { chromium, type Browser, type BrowserContext } from 'playwright-core';
import { findOnPath } from '../../src/provision/command-path.ts';
import { ensureTools } from '../../src/provision/system-packages.ts';
import { tools } from '../../src/provision/tools.ts';

const commands = [...tools.headlessShell.commands, ...tools.chromium.commands];
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

/** A headless Chromium of this machine, installed at need. It makes no requests of its own. */
export async function launchBrowser(): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-background-networking', '--disable-component-update'];
  return chromium.launch({ executablePath: (await findChromium()) ?? (await installChromium()), args });
}

export type SharedBrowser = Pick<Browser, 'newContext' | 'newPage' | 'close'>;

let shared: Browser | undefined;

/** The one Chromium of this test process, which ends with it. `close` ends what was opened here. */
export async function shareBrowser(): Promise<SharedBrowser> {
  const browser = shared?.isConnected() ? shared : await launchBrowser();
  shared = browser;
  const opened = new Set<BrowserContext>();
  async function newContext(...options: Parameters<Browser['newContext']>): Promise<BrowserContext> {
    const context = await browser.newContext(...options);
    opened.add(context);
    context.on('close', () => opened.delete(context));
    return context;
  }
  return {
    newContext,
    newPage: async (...options) => (await newContext(...options)).newPage(),
    async close() {
      await Promise.all([...opened].map((context) => context.close()));
    },
  };
}

/** The Chromium without a window, which takes half the processor time. Where there is none, the whole one will do. */
export async function installHeadlessShell(): Promise<void> {
  try {
    await ensureTools({ needed: ['headlessShell'], mayInstall: true, say });
  } catch (error) {
    say(`It goes without: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function findChromium(): Promise<string | undefined> {
  for (const command of commands) {
    const found = await findOnPath(command);
    if (found !== null) return found;
  }
  return undefined;
}

async function installChromium(): Promise<string> {
  await ensureTools({ needed: ['chromium'], mayInstall: true, say });
  const found = await findChromium();
  if (found === undefined) throw new Error('These tests need a Chromium.');
  return found;
}
