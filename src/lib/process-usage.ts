import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Processor time of all threads so far, and the memory that the process holds now. */
export type ProcessUsage = { cpuMs: number; memoryBytes: number };

const run = promisify(execFile);
/** Linux counts in ticks of this length on every machine that Node runs on. */
const tickMs = 10;

/** Undefined if the process is gone. */
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

/** The name of the program, in brackets, may contain anything. */
function cpuMsOf(stat: string): number {
  const [, ...fields] = stat.slice(stat.lastIndexOf(')')).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

/** `ps` prints kilobytes, and times like `[[days-]hours:]minutes:seconds`, with or without fractions. */
async function askPs(pid: number): Promise<ProcessUsage> {
  const { stdout } = await run('ps', ['-o', 'rss=,time=', '-p', String(pid)]);
  const [kilobytes, clock = ''] = stdout.trim().split(/\s+/);
  const [seconds = 0, minutes = 0, hours = 0, days = 0] = clock.split(/[-:]/).map(Number).toReversed();
  const cpuMs = (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
  return { cpuMs, memoryBytes: Number(kilobytes) * 1024 };
}
