import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

export type ProgramResult = { code: number | null; stdout: string; stderr: string };
type Environment = Record<string, string>;

type RunOptions = { env: Environment; cwd?: string };

/** Runs a program of the repository, or a script, to its end, as a user does: a process of its own, and only this environment. */
export async function runProgram(
  script: string,
  args: string[],
  env: Environment,
  cwd: string = root,
): Promise<ProgramResult> {
  return runCommand(process.execPath, [path.resolve(root, script), ...args], { env, cwd });
}

/** The same for any command of the machine. */
export async function runCommand(command: string, args: string[], place: RunOptions): Promise<ProgramResult> {
  const child = start(command, args, place);
  const result = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (result.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (result.stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...result };
}

/** `printed`: what it has written beside its log so far, for whoever looks at the console. */
export type RunningService = { baseUrl: string; printed(): string; stop(): Promise<void> };

/** Starts the real service on a free port and waits until it says that it is ready. */
export async function startService(env: Environment): Promise<RunningService> {
  const settings = { PORT: '0', LOG_LEVEL: 'info', ...env };
  const child = start(process.execPath, [path.join(root, 'src/main.ts')], { env: settings });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const closed = once(child, 'close');
  for await (const line of createInterface(child.stdout)) {
    const entry = JSON.parse(line) as { msg: string; baseUrl?: string };
    if (entry.msg !== 'ready' || entry.baseUrl === undefined) continue;
    child.stdout.resume();
    return {
      baseUrl: entry.baseUrl,
      printed: () => errors,
      async stop() {
        child.kill('SIGTERM');
        await closed;
      },
    };
  }
  throw new Error(`The service did not start:\n${errors}`);
}

function start(command: string, args: string[], { env, cwd = root }: RunOptions) {
  const { PATH = '', HOME = '' } = process.env;
  return spawn(command, args, { cwd, env: { PATH, HOME, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
}
