import { readFile } from 'node:fs/promises';
import type { Sql } from 'postgres';

const tickMs = 10;

/** Of a process so far, where the system tells (Linux); 0 elsewhere, and for one that is gone. */
export async function processCpuMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * tickMs;
}

/** Of all backends so far. */
export async function postgresCpuMs(sql: Sql): Promise<number> {
  const backends = await sql<{ pid: number }[]>`select pid from pg_stat_activity`;
  const times = await Promise.all(backends.map(({ pid }) => processCpuMs(pid)));
  return times.reduce((sum, time) => sum + time, 0);
}
