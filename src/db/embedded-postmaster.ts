import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chown, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Above every system's highest process id, so no process ever has it. */
const impossiblePid = 2_147_483_647;

export type Postmaster = { pid: number; port: number; status: 'starting' | 'ready' | 'stopping' };

/**
 * What `postmaster.pid` says about the server of a cluster, if that process lives and is really this cluster's server.
 * File layout: https://www.postgresql.org/docs/18/storage-file-layout.html (line 1 pid, 4 port, 8 status).
 */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const lines = await readPidFile(cluster);
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return undefined;
  if (!(await isServerOf(pid, cluster))) return undefined;
  const status = lines[7]?.trim();
  return {
    pid,
    port: Number(lines[3] ?? 0),
    status: status === 'ready' || status === 'stopping' ? status : 'starting',
  };
}

/**
 * Postgres mistakes any living process with the recorded id for its predecessor and refuses to start. If that process
 * is another program, the id is replaced; the rest of the file, which guards the shared memory, stays.
 */
export async function disownReusedPid(cluster: string): Promise<void> {
  const lines = await readPidFile(cluster);
  const pid = Number(lines[0]);
  if (lines.length < 2 || !exists(pid) || (await isServerOf(pid, cluster))) return;
  const file = path.join(cluster, 'postmaster.pid');
  const owner = await stat(file);
  await writeFile(`${file}.new`, [String(impossiblePid), ...lines.slice(1)].join('\n'), { mode: 0o600 });
  await giveTo(`${file}.new`, owner);
  await rename(`${file}.new`, file);
}

/** Whether the process runs. Zombies, as in a container without init, do not count. */
export function isAlive(pid: number): boolean {
  return exists(pid) && !isZombie(pid);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // proc_pid_stat(5): the state follows the name, which is in parentheses.
    return /^ [ZX]/.test(status.slice(status.lastIndexOf(')') + 1));
  } catch {
    return true;
  }
}

/** Resolves to whether the process ended in time. */
export async function waitForExit(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isAlive(pid)) {
    if (Date.now() >= deadline) return false;
    await sleep(10);
  }
  return true;
}

/** Identifies a cluster on the server's command line: unchanged if the folder is moved, different if it is copied. */
export async function clusterMark(cluster: string): Promise<string> {
  const { dev, ino } = await stat(cluster, { bigint: true });
  return `${dev}-${ino}`;
}

/** On Linux, a server's working directory is its data folder; elsewhere, check its command line. */
async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  if (process.platform === 'win32') return true;
  try {
    if (process.platform === 'linux') return (await clusterMark(`/proc/${pid}/cwd`)) === (await clusterMark(cluster));
    const { stdout } = await run('ps', ['-o', 'command=', '-p', String(pid)]);
    return stdout.includes(`earshot.cluster=${await clusterMark(cluster)}`);
  } catch {
    return false;
  }
}

async function readPidFile(cluster: string): Promise<string[]> {
  const text = await readFile(path.join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  return text.split('\n');
}

async function giveTo(file: string, owner: { uid: number; gid: number }): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  await chown(file, owner.uid, owner.gid);
}
