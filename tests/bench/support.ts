import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';

export type BenchServer = { baseUrl: string; pid: number; stop(): Promise<void> };

/** Starts a script that prints its address as the first line, in a process of its own. */
export async function startServer(script: URL, input: unknown): Promise<BenchServer> {
  const child: ChildProcess = spawn(process.execPath, [fileURLToPath(script), JSON.stringify(input)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const baseUrl = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += String(chunk);
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    ended.then(() => reject(new Error(`${script.pathname} ended before it was ready.`)), reject);
  });
  return {
    baseUrl,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

export type Load = { requestsPerSecond: number; p50Ms: number; p95Ms: number; p99Ms: number };
export type LoadOptions = { url: string; headers?: Record<string, string>; clients: number; durationMs: number };

/** As many clients as told, each sending its next request when it has its answer. Throws for anything but 200. */
export async function load({ url, headers = {}, clients, durationMs }: LoadOptions): Promise<Load> {
  const { origin } = new URL(url);
  const pool = new Pool(origin, { connections: clients });
  const path = url.slice(origin.length);
  const latencies: number[] = [];
  const startedAt = performance.now();
  const client = async (): Promise<void> => {
    while (performance.now() - startedAt < durationMs) {
      const from = performance.now();
      const { statusCode, body } = await pool.request({ path, method: 'GET', headers });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}: ${text.slice(0, 500)}`);
      latencies.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const tookMs = performance.now() - startedAt;
  await pool.close();
  latencies.sort((a, b) => a - b);
  return {
    requestsPerSecond: (latencies.length / tookMs) * 1000,
    p50Ms: percentile(latencies, 0.5),
    p95Ms: percentile(latencies, 0.95),
    p99Ms: percentile(latencies, 0.99),
  };
}

export function percentile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export function round(value: number, digits = 2): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
