import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

const main = path.join(import.meta.dirname, '../../../src/main.ts');

export type ServiceProcess = {
  /** Resolves with the address once it serves; rejects when it ends before. */
  ready: Promise<string>;
  readonly pid: number | undefined;
  /** What it logged at warning or above, for a failed test. */
  readonly warnings: string[];
  hasEnded(): boolean;
  kill(signal?: NodeJS.Signals): Promise<void>;
};

/** The real service in a process of its own, as an operator starts it. `FILE_SIZE_KIB_MAX` limits the files that it writes. */
export function startService({ FILE_SIZE_KIB_MAX, ...env }: Record<string, string>): ServiceProcess {
  const limit = FILE_SIZE_KIB_MAX === undefined ? 'unlimited' : FILE_SIZE_KIB_MAX;
  const child = spawn('/bin/bash', ['-c', 'ulimit -f "$0" && exec "$@"', limit, process.execPath, main], {
    env: {
      ...process.env,
      NODE_ENV: 'test',
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'info',
      RATE_LIMIT_PER_MINUTE: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const warnings: string[] = [];
  const ready = readAddress(child, warnings);
  ready.catch(() => {});
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    ready,
    pid: child.pid,
    warnings,
    hasEnded,
    async kill(signal = 'SIGKILL') {
      if (hasEnded()) return;
      child.kill(signal);
      await once(child, 'exit');
    },
  };
}

async function readAddress(child: ChildProcess, warnings: string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  child.once('exit', (code, signal) =>
    reject(new Error(`The service ended (${code ?? signal}): ${warnings.join('\n')}`)),
  );
  child.stderr?.on('data', (chunk: Buffer) => warnings.push(chunk.toString()));
  if (child.stdout) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const entry = parseLine(line);
      if (entry.msg === 'ready' && entry.baseUrl) resolve(entry.baseUrl);
      if (entry.level !== undefined && entry.level >= 40) warnings.push(line);
    });
  }
  return promise;
}

function parseLine(line: string): { msg?: string; baseUrl?: string; level?: number } {
  try {
    return JSON.parse(line) as { msg?: string };
  } catch {
    return {};
  }
}
