import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/** What the pages are made of. */
const rooms = ['src/dashboard', 'src/domain', 'src/lib', 'src/model'];

/** The dashboard as its sources are now: `npm ci` builds it, and they may have changed since. */
export async function buildDashboard(): Promise<void> {
  const builtMs = await modifiedMs('dist/dashboard/index.html');
  const sources = await Promise.all(
    rooms.map(async (room) => (await readdir(room, { recursive: true })).map((name) => path.join(room, name))),
  );
  const changes = await Promise.all([...sources.flat(), 'package-lock.json'].map(modifiedMs));
  if (Math.max(...changes) <= builtMs) return;
  // In a process of its own: here NODE_ENV says that this is a test, and React would bring its development build along.
  const env = { ...process.env, NODE_ENV: 'production' };
  await promisify(execFile)(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'error'], {
    env,
  });
}

async function modifiedMs(file: string): Promise<number> {
  const info = await stat(file).catch(() => undefined);
  return info?.mtimeMs ?? 0;
}
