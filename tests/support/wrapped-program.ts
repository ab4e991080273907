import { chmod, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';

export type WrappedProgram = {
  /** How often it was started. */
  starts(): Promise<number>;
  /** The PATH on which the wrapper stands before the program. */
  path: string;
};

/**
 * Puts a script before a program of the PATH: its first start gets that signal after `afterMs`, itself and no wrapper of
 * it, with `extra` before its own arguments. Later starts are left alone.
 */
export async function signalFirstStart(
  program: string,
  { signal, afterMs, extra = '' }: { signal: 'KILL' | 'STOP' | 'TERM'; afterMs: number; extra?: string },
): Promise<WrappedProgram> {
  const folder = await mkdtemp(path.join(tmpdir(), 'wrapped-'));
  const real = execFileSync('which', [program]).toString().trim();
  const bin = path.join(folder, 'bin');
  const starts = path.join(folder, 'starts');
  await mkdir(bin);
  await mkdir(starts);
  const script = `#!/bin/sh
touch "${starts}/$$"
if mkdir "${folder}/first" 2>/dev/null; then
  ${afterMs === 0 ? `kill -s ${signal} $$` : `(sleep ${afterMs / 1000}; kill -s ${signal} $$) </dev/null >/dev/null 2>&1 &`}
  exec "${real}" ${extra} "$@"
fi
exec "${real}" "$@"
`;
  await writeFile(path.join(bin, program), script);
  await chmod(path.join(bin, program), 0o755);
  return { path: `${bin}:${process.env['PATH'] ?? ''}`, starts: async () => (await readdir(starts)).length };
}

/** Processes of that name that this one has started and that still run. */
export async function childrenNamed(name: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      const [, comm, state, parent] = /^\d+ \((.*)\) (\S) (\d+)/.exec(stat) ?? [];
      return comm === name && state !== 'Z' && Number(parent) === process.pid ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}
