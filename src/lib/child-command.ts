import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

export type Command = { command: string; args: string[] };

/** From util-linux, which every Debian has. Each of these replaces itself with the program it is given. */
const limiter = '/usr/bin/prlimit';
const binder = '/usr/bin/setpriv';
/** Present on every Unix. */
const yielder = '/usr/bin/nice';
const binderArgs = ['--pdeathsig', 'KILL', '--'];

/** Adds limits such as `--as=…`, where the system can enforce them. */
export function limited({ command, args }: Command, limits: readonly string[]): Command {
  if (limits.length === 0 || !hasLimiter()) return { command, args };
  return { command: limiter, args: [...limits, '--core=0', '--', command, ...args] };
}

/**
 * The kernel kills the program when the thread that started it ends, so a killed service leaves no tools running. Start
 * it from the main thread.
 */
export function boundToUs({ command, args }: Command): Command {
  return hasBinder() ? { command: binder, args: [...binderArgs, command, ...args] } : { command, args };
}

/** Lowers the priority of the program and all its threads, so that it yields to request handling. */
export function yielding({ command, args }: Command, niceness: number): Command {
  return hasYielder() ? { command: yielder, args: ['-n', String(niceness), command, ...args] } : { command, args };
}

/** Whether one of these wrappers exited because it found no such program. */
export function isUnknownProgram(code: number, stderr: string): boolean {
  return (code === 126 || code === 127) && /^(?:\/usr\/bin\/)?(?:prlimit|setpriv|nice): /m.test(stderr);
}

const hasLimiter = once(() => existsSync(limiter));
const hasYielder = once(() => existsSync(yielder));
/** Other systems have a program of this name with fewer options. */
const hasBinder = once(
  () => existsSync(binder) && spawnSync(binder, [...binderArgs, '/bin/true'], { stdio: 'ignore' }).status === 0,
);

function once(look: () => boolean): () => boolean {
  let found: boolean | undefined;
  return () => (found ??= look());
}
