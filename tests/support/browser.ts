import { chromium, type Browser } from 'playwright-core';
import { runCommand } from '../../src/provision/run.ts';
import { ensureTools } from '../../src/provision/system-packages.ts';
import { tools } from '../../src/provision/tools.ts';

/** A headless Chromium of this machine, installed at need. It makes no requests of its own. */
export async function launchBrowser(): Promise<Browser> {
  const say = (line: string): boolean => process.stdout.write(`${line}\n`);
  const { missing } = await ensureTools({ needed: ['chromium'], mayInstall: true, say });
  if (missing.length > 0) throw new Error('These tests need a Chromium.');
  const args = ['--no-sandbox', '--disable-background-networking', '--disable-component-update'];
  return chromium.launch({ executablePath: await findChromium(), args });
}

async function findChromium(): Promise<string> {
  for (const command of tools.chromium.commands) {
    const { code, output } = await runCommand('sh', ['-c', 'command -v "$1"', 'sh', command]);
    if (code === 0) return output.trim();
  }
  throw new Error('There is no Chromium on the PATH.');
}
