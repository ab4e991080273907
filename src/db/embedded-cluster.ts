import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { StartError } from '../lib/start-error.ts';
import type { Account } from './embedded-account.ts';
import type { PostgresBinaries } from './embedded-binaries.ts';

const major = '18';

/** The paths of one embedded database. */
export type ClusterLayout = {
  root: string;
  cluster: string;
  passwordFile: string;
  logFile: string;
  /** Locked while a process starts or stops the server. */
  lockFile: string;
  /** Share-locked by every process that uses the server. */
  usersFile: string;
};

export function layoutOf(dataDir: string): ClusterLayout {
  const root = path.resolve(dataDir, 'postgres');
  return {
    root,
    cluster: path.join(root, 'cluster'),
    passwordFile: path.join(root, 'password'),
    logFile: path.join(root, 'postgres.log'),
    lockFile: path.join(root, 'lock'),
    usersFile: path.join(root, 'users'),
  };
}

/** Creates the folder of the cluster, closed to other users. Throws if it belongs to another user. */
export async function prepareFolder(layout: ClusterLayout): Promise<void> {
  // As root, Postgres runs as another user, who must be able to enter the folder but not list it.
  await mkdir(layout.root, { recursive: true, mode: process.geteuid?.() === 0 ? 0o711 : 0o700 });
  const owner = await stat(layout.root);
  const uid = process.geteuid?.();
  if (uid !== undefined && uid !== 0 && owner.uid !== uid) {
    throw new StartError(
      `${layout.root} belongs to user ${owner.uid}, and this is user ${uid}: choose another DATA_DIR.`,
    );
  }
}

/** Files that root creates in an ordinary user's folder belong to that user. */
export async function giveToFolderOwner(layout: ClusterLayout): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const owner = await stat(path.dirname(layout.root));
  for (const file of [layout.root, layout.passwordFile, layout.logFile, layout.lockFile, layout.usersFile]) {
    await chown(file, owner.uid, owner.gid).catch(ignoreMissing);
  }
}

/** The superuser's password: random, stored beside the cluster, readable by the owner only. */
export async function readOrCreatePassword(layout: ClusterLayout): Promise<string> {
  const known = await readFile(layout.passwordFile, 'utf8').catch(ignoreMissing);
  if (known?.trim()) return known.trim();
  if (await isInitialised(layout)) {
    throw new StartError(
      `${layout.passwordFile} is missing: without it the database in ${layout.cluster} cannot be opened.`,
    );
  }
  const password = randomBytes(24).toString('base64url');
  const draft = `${layout.passwordFile}.new`;
  await writeDurably(draft, `${password}\n`);
  await rename(draft, layout.passwordFile);
  return password;
}

export async function isInitialised(layout: ClusterLayout): Promise<boolean> {
  const version = await readFile(path.join(layout.cluster, 'PG_VERSION'), 'utf8').catch(ignoreMissing);
  if (version === undefined) return false;
  if (version.trim() === major) return true;
  throw new StartError(
    `${layout.cluster} was made by Postgres ${version.trim()}, and this is Postgres ${major}: dump it with the older version first.`,
  );
}

const initialSettings = [
  '--no-sync',
  '--no-instructions',
  '--username=postgres',
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--set=timezone=UTC',
  '--set=log_timezone=UTC',
];

type InitialiseOptions = {
  layout: ClusterLayout;
  binaries: PostgresBinaries;
  account: Account | undefined;
  password: string;
  isDurable: boolean;
};

/**
 * Creates the cluster in a temporary folder and moves it into place when it is complete, so an aborted start leaves
 * nothing that looks like a database. The caller holds the lock.
 */
export async function initialiseCluster({
  layout,
  binaries,
  account,
  password,
  isDurable,
}: InitialiseOptions): Promise<void> {
  await removeDrafts(layout);
  const draft = path.join(layout.root, `cluster.new-${randomBytes(4).toString('hex')}`);
  const cluster = path.join(draft, 'cluster');
  for (const folder of [draft, cluster]) {
    await mkdir(folder, { mode: 0o700 });
    if (account) await chown(folder, account.uid, account.gid);
  }
  await lendPassword({ file: path.join(draft, 'password'), password, account });
  const folder = folderArgument(cluster, account);
  const run = (args: string[]): Promise<void> =>
    runInitdb({ binaries, account, cwd: cluster, args: [`--pgdata=${folder}`, ...args] });
  await run([...initialSettings, `--pwfile=${folder}/../password`]);
  if (isDurable) await run(['--sync-only']);
  await rename(cluster, layout.cluster);
  await rm(draft, { recursive: true, force: true });
  if (isDurable) await syncFolder(layout.root);
}

/** Removes unfinished clusters of killed starts. */
async function removeDrafts(layout: ClusterLayout): Promise<void> {
  for (const name of await readdir(layout.root)) {
    // An orphaned initdb may still be writing there: the next first start removes the rest.
    if (name.startsWith('cluster.new-'))
      await rm(path.join(layout.root, name), { recursive: true, force: true }).catch(() => {});
  }
}

/**
 * The path of the cluster for the server's own user. Relative to the working directory, a folder can be reached without
 * rights on its parents, so a DATA_DIR below /root works for an unprivileged Postgres too.
 */
export function folderArgument(folder: string, account: Account | undefined): string {
  return account && process.platform === 'linux' ? '/proc/self/cwd' : folder;
}

/** initdb reads the password from a file, as its own user. */
async function lendPassword({
  file,
  password,
  account,
}: {
  file: string;
  password: string;
  account: Account | undefined;
}): Promise<void> {
  await writeFile(file, `${password}\n`, { mode: 0o600 });
  if (account) await chown(file, account.uid, account.gid);
}

type RunOptions = { binaries: PostgresBinaries; account: Account | undefined; cwd: string; args: string[] };

async function runInitdb({ binaries, account, cwd, args }: RunOptions): Promise<void> {
  const env = { LC_ALL: 'C', PATH: '/usr/bin:/bin' };
  const child = spawn(binaries.initdb, args, { ...account, cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const collect = (chunk: Buffer): void => void (output += chunk.toString());
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else
        reject(
          new StartError(
            `initdb ended with ${signal ?? `code ${code}`}:\n${output.trim().split('\n').slice(-8).join('\n')}`,
          ),
        );
    });
  });
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await chmod(file, 0o600);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
