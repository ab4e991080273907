import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findAccount } from './embedded-account.ts';
import { createBackendSweep } from './embedded-backends.ts';
import { findPostgresBinaries } from './embedded-binaries.ts';
import {
  giveToFolderOwner,
  initialiseCluster,
  isInitialised,
  layoutOf,
  prepareFolder,
  readOrCreatePassword,
} from './embedded-cluster.ts';
import type { ClusterLayout } from './embedded-cluster.ts';
import { acquireExclusiveLock, acquireSharedLock, isUnlocked } from '../lib/file-lock.ts';
import type { HeldLock } from '../lib/file-lock.ts';
import { findPostmaster, isAlive, waitForExit } from './embedded-postmaster.ts';
import type { Postmaster } from './embedded-postmaster.ts';
import { launchServer, shutDownServer } from './embedded-server.ts';
import { askServer, ensureDatabase, listEarshotSessions, serverUrl } from './embedded-session.ts';

const silenceTimeoutMs = 4_000;
const watchIntervalMs = 1_000;
const stopLockTimeoutMs = 2_000;
const lastSessionsTimeoutMs = 1_500;

export type EmbeddedLog = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

export type EmbeddedPostgresOptions = {
  dataDir: string;
  log: EmbeddedLog;
  /** False trades durability for speed, for tests. Default true. */
  fsync?: boolean;
};

export type EmbeddedPostgres = {
  /** Superuser on 127.0.0.1, database `earshot`. Stays the same until `stop`, even if the server crashes. */
  url: string;
  logFile: string;
  /** Releases the server; the last user stops it. Close your own connections first. Never throws. */
  stop(): Promise<void>;
};

/** Long enough for crash recovery. */
const startTimeoutMs = 60_000;

type Context = {
  layout: ClusterLayout;
  password: string;
  log: EmbeddedLog;
  isDurable: boolean;
};
type Server = { postmaster: Postmaster; isStopping: boolean };

/**
 * Starts the Postgres of `dataDir`, or joins it if it is running: started by another process of this service, or left
 * behind by a killed one. Creates the database on the first start. Throws if no server can be started.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, fsync = true } = options;
  const layout = layoutOf(options.dataDir);
  await prepareFolder(layout);
  const lock = await acquireExclusiveLock({ path: layout.lockFile, timeoutMs: startTimeoutMs });
  try {
    const password = await readOrCreatePassword(layout);
    const context: Context = { layout, password, log, isDurable: fsync };
    const postmaster = (await adoptServer(context)) ?? (await startServer(context, undefined));
    await ensureDatabase({ port: postmaster.port, password });
    const membership = acquireSharedLock(layout.usersFile);
    if (!membership) throw new Error(`${layout.usersFile} is locked by another program.`);
    await giveToFolderOwner(layout);
    return join({ context, membership, server: { postmaster, isStopping: false } });
  } finally {
    lock.release();
  }
}

type JoinOptions = { context: Context; membership: HeldLock; server: Server };

function join({ context, membership, server }: JoinOptions): EmbeddedPostgres {
  const stopWatching = watch(context, server);
  let stopped: Promise<void> | undefined;
  return {
    url: serverUrl({ port: server.postmaster.port, password: context.password }),
    logFile: context.layout.logFile,
    stop(): Promise<void> {
      server.isStopping = true;
      stopped ??= stopWatching()
        .then(() => leave(context, membership))
        .catch((error: unknown) => context.log.error({ err: error }, 'Embedded Postgres could not be stopped'));
      return stopped;
    },
  };
}

/** Finds the running server of this cluster, and waits while it starts or stops. Undefined if there is none. */
async function adoptServer({ layout, password, log }: Context): Promise<Postmaster | undefined> {
  const startedAt = Date.now();
  for (;;) {
    const postmaster = await findPostmaster(layout.cluster);
    if (!postmaster) return undefined;
    const { pid, port, status } = postmaster;
    const answer = status === 'ready' ? await askServer({ port, password }) : 'busy';
    if (answer === 'answers') {
      log.info({ pid, port }, 'Joined the embedded Postgres that runs already');
      return postmaster;
    }
    const waitedMs = Date.now() - startedAt;
    if (answer === 'silent' && waitedMs > silenceTimeoutMs && isUnlocked(layout.usersFile)) {
      log.warn({ pid, port }, 'The embedded Postgres left behind does not answer: it is ended');
      await shutDownServer(pid, { isSilent: true });
    } else if (waitedMs > startTimeoutMs) {
      throw new Error(`The embedded Postgres (process ${pid}) runs but does not answer; see ${layout.logFile}.`);
    }
    await sleep(20);
  }
}

async function startServer(context: Context, port: number | undefined): Promise<Postmaster> {
  const { layout, password, log, isDurable } = context;
  const startedAt = Date.now();
  const account = await findAccount([layout.cluster, path.dirname(layout.root)]);
  const binaries = await findPostgresBinaries(account);
  if (!(await isInitialised(layout))) {
    await initialiseCluster({ layout, binaries, account, password, isDurable });
    log.info({ folder: layout.cluster, tookMs: Date.now() - startedAt }, 'Made the embedded Postgres database');
  }
  const launchedAt = Date.now();
  const postmaster = await launchServer({ layout, binaries, account, isDurable, port, timeoutMs: startTimeoutMs });
  log.info({ pid: postmaster.pid, port: postmaster.port, tookMs: Date.now() - launchedAt }, 'Embedded Postgres runs');
  return postmaster;
}

/**
 * Restarts a server that ended unexpectedly (out of memory, killed) on its old port, so that clients only need to
 * reconnect. The returned function stops watching, and waits for a restart in progress.
 */
function watch(context: Context, server: Server): () => Promise<void> {
  let repair: Promise<void> | undefined;
  const lowerNewBackends = createBackendSweep();
  const timer = setInterval(() => {
    if (repair || server.isStopping) return;
    if (isAlive(server.postmaster.pid)) return void lowerNewBackends(server.postmaster.pid);
    repair = revive(context, server)
      .catch((error: unknown) => context.log.error({ err: error }, 'Embedded Postgres is down and did not start again'))
      .finally(() => (repair = undefined));
  }, watchIntervalMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await repair;
  };
}

async function revive(context: Context, server: Server): Promise<void> {
  const { layout, log } = context;
  const { pid, port } = server.postmaster;
  log.warn({ pid, port }, 'Embedded Postgres ended unexpectedly: starting it again');
  const lock = await acquireExclusiveLock({ path: layout.lockFile, timeoutMs: startTimeoutMs });
  try {
    if (server.isStopping) return;
    const postmaster = (await adoptServer(context)) ?? (await startServer(context, port));
    if (postmaster.port !== port) throw new Error(`It runs on port ${postmaster.port} now, no longer on ${port}.`);
    server.postmaster = postmaster;
  } finally {
    lock.release();
  }
}

async function leave({ layout, password, log }: Context, membership: HeldLock): Promise<void> {
  membership.release();
  const lock = await acquireExclusiveLock({ path: layout.lockFile, timeoutMs: stopLockTimeoutMs }).catch(
    () => undefined,
  );
  // Whoever holds the lock this long is starting, and takes over the server.
  if (!lock) return;
  try {
    if (!isUnlocked(layout.usersFile)) return;
    const postmaster = await findPostmaster(layout.cluster);
    if (!postmaster) return;
    const { pid, port, status } = postmaster;
    const sessions = status === 'ready' ? await waitForLastSessions({ port, password }) : [];
    if (sessions.length > 0) {
      log.warn({ pid, port, sessions }, 'Embedded Postgres stays up: other programs are connected');
      return;
    }
    const how = status === 'stopping' && (await waitForExit(pid, 1_000)) ? 'clean' : await shutDownServer(pid);
    log.info({ pid, how }, 'Embedded Postgres stopped');
  } finally {
    lock.release();
  }
}

/** The server takes some milliseconds to notice closed connections. */
async function waitForLastSessions(address: { port: number; password: string }): Promise<string[]> {
  const deadline = Date.now() + lastSessionsTimeoutMs;
  for (;;) {
    const sessions = await listEarshotSessions(address).catch(() => []);
    if (sessions.length === 0 || Date.now() >= deadline) return sessions;
    await sleep(20);
  }
}
