import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

export type Command = { command: string; args: string[] };

/** Of util-linux, which every Debian has. Each takes the place of itself by the program that it is given. */
const limiter = '/usr/bin/prlimit';
const binder = '/usr/bin/setpriv';
/** Of every Unix. */
const yielder = '/usr/bin/nice';
const binderArgs = ['--pdeathsig', 'KILL', '--'];

/** With limits such as `--as=…`, where the system can hold a program to them. */
export function limited({ command, args }: Command, limits: readonly string[]): Command {
  if (limits.length === 0 || !hasLimiter()) return { command, args };
  return { command: limiter, args: [...limits, '--core=0', '--', command, ...args] };
}

/**
 * Bound to the process that starts it, which the kernel avenges: a service that is killed leaves no tool behind that goes on with
 * what nobody waits for. To be started from the main thread, since it is the thread whose end counts.
 */
export function boundToUs({ command, args }: Command): Command {
  return hasBinder() ? { command: binder, args: [...binderArgs, command, ...args] } : { command, args };
}

/** For work that makes way for whoever answers requests, with all threads of its own. */
export function yielding({ command, args }: Command, niceness: number): Command {
  return hasYielder() ? { command: yielder, args: ['-n', String(niceness), command, ...args] } : { command, args };
}

/** Whether it was one of these who ended, because it found no such program. */
export function isUnknownProgram(code: number, stderr: string): boolean {
  return (code === 126 || code === 127) && /^(?:\/usr\/bin\/)?(?:prlimit|setpriv|nice): /m.test(stderr);
}

const hasLimiter = once(() => existsSync(limiter));
const hasYielder = once(() => existsSync(yielder));
/** Other systems have a program of that name which knows less. */
const hasBinder = once(
  () => existsSync(binder) && spawnSync(binder, [...binderArgs, '/bin/true'], { stdio: 'ignore' }).status === 0,
);

function once(look: () => boolean): () => boolean {
  let found: boolean | undefined;
  return () => (found ??= look());
}
