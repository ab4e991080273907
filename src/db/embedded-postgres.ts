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
  /** False gives up durability for speed: for tests whose data nobody keeps. Default true. */
  fsync?: boolean;
  /** Long enough for the repair after a crash. Default 60,000. */
  startTimeoutMs?: number;
};

export type EmbeddedPostgres = {
  /** Superuser on 127.0.0.1, database `earshot`. Stays the same until `stop`, a crash of the server included. */
  url: string;
  logFile: string;
  /** Leaves the server; the last one to leave stops it. Close your own connections first. Never throws. */
  stop(): Promise<void>;
};

type Context = {
  layout: ClusterLayout;
  password: string;
  log: EmbeddedLog;
  isDurable: boolean;
  startTimeoutMs: number;
};
type Server = { postmaster: Postmaster; isStopping: boolean };

/**
 * Starts the Postgres of `dataDir`, or joins it where it runs already: started by another process of this service, or
 * left behind by a killed one. Makes the database on the first start. Throws when no server can be brought up.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, fsync = true, startTimeoutMs = 60_000 } = options;
  const layout = layoutOf(options.dataDir);
  await prepareFolder(layout);
  const lock = await acquireExclusiveLock({ path: layout.lockFile, timeoutMs: startTimeoutMs });
  try {
    const password = await readOrCreatePassword(layout);
    const context: Context = { layout, password, log, isDurable: fsync, startTimeoutMs };
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

/** Finds the running server of this cluster, waiting while it starts or stops. Undefined when there is none. */
async function adoptServer({ layout, password, log, startTimeoutMs }: Context): Promise<Postmaster | undefined> {
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
  const { layout, password, log, isDurable, startTimeoutMs } = context;
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
 * Brings a server back that ended without being asked to (out of memory, killed), on its old port, so that clients
 * only have to connect again. The returned function ends the watch and waits for a repair under way.
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
  const { layout, log, startTimeoutMs } = context;
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
  // Whoever holds the lock that long is starting, and takes the server over.
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

/** Connections that were closed a moment ago take the server some milliseconds to forget. */
async function waitForLastSessions(address: { port: number; password: string }): Promise<string[]> {
  const deadline = Date.now() + lastSessionsTimeoutMs;
  for (;;) {
    const sessions = await listEarshotSessions(address).catch(() => []);
    if (sessions.length === 0 || Date.now() >= deadline) return sessions;
    await sleep(20);
  }
}
