import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'vite';

/** The dashboard as its sources are now: `npm ci` builds it, and they may have changed since. */
export async function buildDashboard(): Promise<void> {
  const builtMs = await modifiedMs('dist/dashboard/index.html');
  const sources = await readdir('src/dashboard', { recursive: true });
  const changes = await Promise.all(
    [...sources.map((name) => path.join('src/dashboard', name)), 'package-lock.json'].map(modifiedMs),
  );
  if (Math.max(...changes) > builtMs) await build({ logLevel: 'error' });
}

async function modifiedMs(file: string): Promise<number> {
  const info = await stat(file).catch(() => undefined);
  return info?.mtimeMs ?? 0;
}
