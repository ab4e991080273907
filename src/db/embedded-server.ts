import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { open, rename, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { yielding } from '../lib/child-command.ts';
import { niceness } from '../lib/niceness.ts';
import { StartError } from '../lib/start-error.ts';
import type { Account } from './embedded-account.ts';
import type { PostgresBinaries } from './embedded-binaries.ts';
import { folderArgument } from './embedded-cluster.ts';
import type { ClusterLayout } from './embedded-cluster.ts';
import { clusterMark, disownReusedPid, findPostmaster, isAlive, waitForExit } from './embedded-postmaster.ts';
import type { Postmaster } from './embedded-postmaster.ts';

const logSizeBytesMax = 10 * 1024 * 1024;
const fastShutdownTimeoutMs = 3_500;
const immediateShutdownTimeoutMs = 700;

/** Temporary errors: another program took the port, or the last session of a killed server is still ending. */
const passingFaults = [/could not bind/i, /could not create any TCP\/IP sockets/i, /pre-existing shared memory block/i];

export type LaunchOptions = {
  layout: ClusterLayout;
  binaries: PostgresBinaries;
  account: Account | undefined;
  isDurable: boolean;
  /** Undefined means any free port. */
  port?: number | undefined;
  timeoutMs: number;
};

/**
 * Starts the server of an initialised cluster in its own process group, so that Ctrl-C does not reach it before its
 * users have finished. Resolves once it accepts connections. The caller holds the lock. Throws with the end of the
 * server's log if it does not start.
 */
export async function launchServer(options: LaunchOptions): Promise<Postmaster> {
  const deadline = Date.now() + options.timeoutMs;
  await disownReusedPid(options.layout.cluster);
  for (;;) {
    const outcome = await tryLaunch(options, deadline);
    if (typeof outcome !== 'string') return outcome;
    if (Date.now() >= deadline || !passingFaults.some((fault) => fault.test(outcome))) {
      throw new StartError(
        `The embedded Postgres did not start. Its log, ${options.layout.logFile}, ends with:\n${outcome}`,
      );
    }
    await sleep(200);
  }
}

/**
 * Stops a server, gracefully unless it does not respond anyway; always within 5 s. The next start repairs what an
 * abrupt stop leaves.
 */
export async function shutDownServer(pid: number, { isSilent = false } = {}): Promise<'clean' | 'abrupt'> {
  const steps = [
    { signal: 'SIGINT', timeoutMs: fastShutdownTimeoutMs, how: 'clean' },
    { signal: 'SIGQUIT', timeoutMs: immediateShutdownTimeoutMs, how: 'abrupt' },
    { signal: 'SIGKILL', timeoutMs: 500, how: 'abrupt' },
  ] as const;
  for (const { signal, timeoutMs, how } of isSilent ? steps.slice(1) : steps) {
    signalIfAlive(pid, signal);
    if (await waitForExit(pid, timeoutMs)) return how;
  }
  return 'abrupt';
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (isAlive(pid)) throw error;
  }
}

async function tryLaunch(options: LaunchOptions, deadline: number): Promise<Postmaster | string> {
  const { layout, binaries, account } = options;
  const logFile = await openLog(layout.logFile);
  try {
    const { size: logStart } = await logFile.stat();
    const port = options.port ?? (await findFreePort());
    const server = { command: binaries.postgres, args: await serverArguments(options, port) };
    // A broad search must not hold up everybody's answers.
    const { command, args } = yielding(server, niceness.database);
    const child = spawn(command, args, {
      ...account,
      cwd: layout.cluster,
      detached: true,
      // The server gets nothing of our environment, above all no credentials.
      env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
      stdio: ['ignore', logFile.fd, logFile.fd],
    });
    child.unref();
    const ready = await waitUntilReady({ child, cluster: layout.cluster, deadline });
    return ready ?? (await readLogEnd(layout.logFile, logStart));
  } finally {
    await logFile.close();
  }
}

type WaitOptions = { child: ChildProcess; cluster: string; deadline: number };

async function waitUntilReady({ child, cluster, deadline }: WaitOptions): Promise<Postmaster | undefined> {
  let failure: Error | undefined;
  child.once('error', (error) => (failure = error));
  while (child.exitCode === null && child.signalCode === null) {
    if (failure) throw failure;
    const postmaster = await findPostmaster(cluster);
    if (postmaster?.status === 'ready' && postmaster.pid === child.pid) return postmaster;
    if (Date.now() >= deadline) {
      if (child.pid) await shutDownServer(child.pid);
      return undefined;
    }
    await sleep(10);
  }
  return undefined;
}

async function serverArguments({ layout, account, isDurable }: LaunchOptions, port: number): Promise<string[]> {
  const memoryMb = Math.floor(Math.min(totalmem(), process.constrainedMemory() || Infinity) / 1024 / 1024);
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    cluster_name: 'earshot',
    'earshot.cluster': await clusterMark(layout.cluster),
    max_connections: 100,
    shared_buffers: memoryMb >= 2048 ? '256MB' : '64MB',
    effective_cache_size: `${Math.max(128, Math.floor(memoryMb / 2))}MB`,
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    random_page_cost: 1.1,
    jit: 'off',
    shared_preload_libraries: '',
    wal_compression: 'pglz',
    checkpoint_timeout: '15min',
    max_wal_size: '2GB',
    log_checkpoints: 'off',
    // Errors go to the client, which knows what may be logged: their text can contain user data.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_line_prefix: '%m [%p] %q%a: ',
    timezone: 'UTC',
    fsync: isDurable ? 'on' : 'off',
    full_page_writes: isDurable ? 'on' : 'off',
    synchronous_commit: isDurable ? 'on' : 'off',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', folderArgument(layout.cluster, account), ...flags];
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address && typeof address === 'object') resolve(address.port);
        else reject(new Error('The system gave no free port.'));
      });
    });
  });
}

async function openLog(file: string): Promise<Awaited<ReturnType<typeof open>>> {
  const size = await stat(file).then(
    (log) => log.size,
    () => 0,
  );
  if (size > logSizeBytesMax) await rename(file, `${file}.1`);
  return open(file, 'a', 0o600);
}

async function readLogEnd(file: string, start: number): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const from = Math.max(start, size - 4_000);
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(size - from), position: from });
    return buffer.toString('utf8', 0, bytesRead).trim();
  } finally {
    await handle.close();
  }
}
