import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Processor time of all threads so far, and memory of its own at the moment. */
export type ProcessUsage = { cpuMs: number; memoryBytes: number };

const run = promisify(execFile);
/** What Linux counts in, on every machine that Node runs on. */
const tickMs = 10;

/** What a process takes. Undefined for one that is gone. */
export async function usageOf(pid: number): Promise<ProcessUsage | undefined> {
  try {
    if (process.platform !== 'linux') return await askPs(pid);
    const [stat, status] = await Promise.all(
      ['stat', 'status'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8')),
    );
    return {
      cpuMs: cpuMsOf(stat ?? ''),
      memoryBytes: Number(/^RssAnon:\s+(\d+)/m.exec(status ?? '')?.[1] ?? 0) * 1024,
    };
  } catch {
    return undefined;
  }
}

/** The name of the program, in brackets, may hold anything. */
function cpuMsOf(stat: string): number {
  const [, ...fields] = stat.slice(stat.lastIndexOf(')')).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

/** Kilobytes, and a time like `[[days-]hours:]minutes:seconds`, with fractions or without. */
async function askPs(pid: number): Promise<ProcessUsage> {
  const { stdout } = await run('ps', ['-o', 'rss=,time=', '-p', String(pid)]);
  const [kilobytes, clock = ''] = stdout.trim().split(/\s+/);
  const [seconds = 0, minutes = 0, hours = 0, days = 0] = clock.split(/[-:]/).map(Number).toReversed();
  const cpuMs = (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
  return { cpuMs, memoryBytes: Number(kilobytes) * 1024 };
}
