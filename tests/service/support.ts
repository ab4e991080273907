import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

type LogLine = { level: number; msg: string; baseUrl?: string } & Record<string, unknown>;

export type RunningProcess = {
  child: ChildProcess;
  /** The lines of its log so far. */
  lines(): LogLine[];
  stderr(): string;
  /** Resolves with the first line of that message; rejects when the process ends before it. */
  logged(msg: string): Promise<LogLine>;
  /** Resolves once the health check answers 200, with the address and the milliseconds since the start. */
  healthy(): Promise<{ baseUrl: string; tookMs: number }>;
  /** Sends the signal and resolves when the process is gone. */
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null; tookMs: number }>;
  exit(): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
};

const healthPollMs = 20;

export function newDataDir(): Promise<string> {
  return mkdtemp(path.join(tmpdir(), 'earshot-service-'));
}

/** `npm start` without npm: the entry of the service in a process of its own, on a free port. */
export function startService(env: Record<string, string>, { uid }: { uid?: number } = {}): RunningProcess {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['src/main.ts'], {
    env: { PATH: process.env['PATH'], PORT: '0', HOST: '127.0.0.1', RATE_LIMIT_PER_MINUTE: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid, gid: uid }),
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;

  const lines = (): LogLine[] => {
    const whole = stdout.slice(0, stdout.lastIndexOf('\n') + 1).split('\n');
    return whole.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
  };

  async function logged(msg: string): Promise<LogLine> {
    for (;;) {
      const found = lines().find((line) => line.msg === msg);
      if (found) return found;
      if (hasEnded()) throw new Error(`The service ended before it said "${msg}":\n${stdout}${stderr}`);
      await sleep(healthPollMs);
    }
  }

  async function healthy(): Promise<{ baseUrl: string; tookMs: number }> {
    const { baseUrl = '' } = await logged('ready');
    for (;;) {
      const { status } = await fetch(`${baseUrl}/api/v1/health`);
      if (status === 200) return { baseUrl, tookMs: performance.now() - startedAt };
      await sleep(healthPollMs);
    }
  }

  async function stop(signal: NodeJS.Signals = 'SIGTERM') {
    const from = performance.now();
    child.kill(signal);
    return { ...(await ended), tookMs: performance.now() - from };
  }

  return { child, lines, stderr: () => stderr, logged, healthy, stop, exit: () => ended };
}
