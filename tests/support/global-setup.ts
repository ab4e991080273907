import { chmod, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { layoutOf } from '../../src/db/embedded-cluster.ts';
import { isUnlocked } from '../../src/lib/file-lock.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts';
import { findPostmaster } from '../../src/db/embedded-postmaster.ts';
import { shutDownServer } from '../../src/db/embedded-server.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { ensureTools } from '../../src/provision/system-packages.ts';
import { buildDashboard } from './dashboard-build.ts';
import { createDatabase, templateName } from './database.ts';
import { places } from './places.ts';

const prefix = 'earshot-tests-';
const abandonedAfterMs = 60_000;
/** What a test has left running may still write for a moment. */
const removing = { recursive: true, force: true, maxRetries: 10 };

declare module 'vitest' {
  interface ProvidedContext {
    /** The superuser of the test server, database `earshot`. Tests use `createTestDatabase`. */
    postgresUrl: string;
  }
}

/**
 * The programs that the tests run, and one Postgres for the whole run with a migrated database that
 * `createTestDatabase` copies.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const log = createLogger('warn');
  await installTools();
  await buildDashboard();
  const { databases, files } = await places();
  for (const place of new Set([databases, files])) await removeAbandoned(place);
  const dataDir = await mkdtemp(path.join(databases, prefix));
  if (files === databases) process.env['TMPDIR'] = await makeTemporary(dataDir);
  const server = await startEmbeddedPostgres({ dataDir, log, fsync: false });
  const teardown = async (): Promise<void> => {
    await server.stop();
    // A test that leaks a connection keeps the server up, which must not outlive its folder.
    const postmaster = await findPostmaster(layoutOf(dataDir).cluster);
    if (postmaster) await shutDownServer(postmaster.pid);
    await rm(dataDir, removing);
  };
  try {
    await migrate({ url: await createDatabase({ serverUrl: server.url, name: templateName }), log });
  } catch (error) {
    await teardown();
    throw error;
  }
  project.provide('postgresUrl', server.url);
  return teardown;
}

/** For the temporary files of the run, which end with it. As open to other users as the system's own. */
async function makeTemporary(dataDir: string): Promise<string> {
  const folder = path.join(dataDir, 'tmp');
  await chmod(dataDir, 0o711);
  await mkdir(folder);
  await chmod(folder, 0o1777);
  return folder;
}

async function installTools(): Promise<void> {
  const { missing } = await ensureTools({
    needed: ['ffmpeg', 'ffprobe', 'flite', 'pocketsphinx', 'pocketsphinxModel', 'redis'],
    mayInstall: true,
    say: (line) => process.stdout.write(`${line}\n`),
  });
  if (missing.length > 0) throw new Error('The tests need the programs named above.');
}

/** Ends the servers of runs that were killed before they could. */
async function removeAbandoned(place: string): Promise<void> {
  for (const name of await readdir(place)) {
    if (!name.startsWith(prefix)) continue;
    const folder = path.join(place, name);
    const info = await stat(folder).catch(() => undefined);
    const isMine = info?.uid === process.geteuid?.();
    if (!info || !isMine || Date.now() - info.mtimeMs < abandonedAfterMs) continue;
    const layout = layoutOf(folder);
    if (!isUnlockedIfPresent(layout.usersFile) || !isUnlockedIfPresent(layout.lockFile)) continue;
    const postmaster = await findPostmaster(layout.cluster);
    if (postmaster) await shutDownServer(postmaster.pid);
    await rm(folder, removing);
  }
}

function isUnlockedIfPresent(file: string): boolean {
  try {
    return isUnlocked(file);
  } catch {
    return true;
  }
}
