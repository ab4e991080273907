import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureTools } from '../../src/provision/system-packages.ts';

export type RedisProcess = {
  url: string;
  pause(): void;
  resume(): void;
  /** Ends it and frees its port; `start` brings it back there, empty. */
  stop(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
};

/** A Redis of this machine, installed at need, on a port of its own and without any file. */
export async function startRedis(): Promise<RedisProcess> {
  const say = (line: string): boolean => process.stdout.write(`${line}\n`);
  const { missing } = await ensureTools({ needed: ['redis'], mayInstall: true, say });
  if (missing.length > 0) throw new Error('These tests need a Redis.');
  const directory = await mkdtemp(path.join(tmpdir(), 'earshot-redis-'));
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--save', '', '--appendonly', 'no'];
  let child = await launch(args);

  const redis: RedisProcess = {
    url: `redis://127.0.0.1:${port}`,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
    async start() {
      child = await launch(args);
    },
    async remove() {
      await redis.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
  return redis;
}

async function launch(args: string[]) {
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    if (output.includes('Ready to accept connections')) break;
  }
  if (child.exitCode !== null) throw new Error(`Redis did not start:\n${output}`);
  return child;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
