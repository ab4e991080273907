import { setTimeout as sleep } from 'node:timers/promises';
import type { Run, RunResult } from './run.ts';

/** Passed by `env`, since sudo drops variables. */
const environment = ['env', 'DEBIAN_FRONTEND=noninteractive', 'LC_ALL=C'];
const lockTimeoutMs = 180_000;
const lockRetryMs = 2_000;

export type AptOptions = {
  packages: string[];
  /** Prefix to gain root's rights: nothing, or sudo. */
  elevation: string[];
  say: (line: string) => void;
  run: Run;
};

/**
 * Installs Debian packages, and refreshes the package lists only if they are missing or outdated. Waits for other runs
 * of apt or dpkg. On failure, throws with the end of apt's output.
 */
export async function installWithApt({ packages, elevation, say, run }: AptOptions): Promise<void> {
  const apt = (args: string[]): Promise<RunResult> =>
    runWaiting({ args: [...elevation, ...environment, 'apt-get', ...args], say, run });
  const install = ['install', '--yes', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=180', ...packages];
  let result = await apt(install);
  if (result.code !== 0 && needsUpdate(result.output)) {
    say('Refreshing the package lists …');
    const update = await apt(['update']);
    if (update.code !== 0) throw aptError('apt-get update', update);
    result = await apt(install);
  }
  if (result.code !== 0) throw aptError(`apt-get install ${packages.join(' ')}`, result);
}

/** The lists do not contain the package, or name a version that the mirror no longer has. */
function needsUpdate(output: string): boolean {
  return /Unable to locate package|has no installation candidate|404\s+Not Found|Failed to fetch/i.test(output);
}

/** `DPkg::Lock::Timeout` does not cover the lock of the package lists, and old versions of apt do not have it. */
async function runWaiting({
  args,
  say,
  run,
}: {
  args: string[];
  say: (line: string) => void;
  run: Run;
}): Promise<RunResult> {
  const deadline = Date.now() + lockTimeoutMs;
  const [command = '', ...rest] = args;
  for (let isFirst = true; ; isFirst = false) {
    const result = await run(command, rest);
    const isLocked = result.code !== 0 && /Could not get lock|Unable to (acquire|lock)/i.test(result.output);
    if (!isLocked || Date.now() >= deadline) return result;
    if (isFirst) say('Another program is installing packages; waiting for it …');
    await sleep(lockRetryMs);
  }
}

function aptError(command: string, { code, output }: RunResult): Error {
  const lines = output.trim().split('\n');
  const errors = lines.filter((line) => /^(E|W|Err):?/.test(line));
  const told = (errors.length > 0 ? errors : lines).slice(-6).join('\n');
  return new Error(`${command} failed (code ${code}):\n${told}`);
}
