import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

export type ChildRequest = {
  command: string;
  args: string[];
  signal?: AbortSignal | undefined;
  timeoutMs: number;
  memoryBytesMax?: number | undefined;
  /** Largest file the child may write. */
  fileBytesMax?: number | undefined;
  /** Takes standard output as it comes; the child waits meanwhile. Without it the output is collected as text. */
  onStdout?: (chunk: Buffer) => Promise<void> | void;
  /** Turns true when no more output is wanted: the child is then ended. */
  isEnough?: () => boolean;
};

export type ChildResult = { code: number | null; stdout: string; stderr: string; isTimedOut: boolean };

const textCharactersMax = 8_000_000;
const stderrCharactersMax = 8_000;
const limiter = '/usr/bin/prlimit';

/**
 * Runs one tool as a child with limits on time and, where `prlimit` exists, on memory and file size.
 * It is killed when the signal aborts. Throws the signal's reason, or `ProgramMissingError`.
 */
export async function runChild(request: ChildRequest): Promise<ChildResult> {
  request.signal?.throwIfAborted();
  const { command, args } = withLimits(request);
  // A process group of its own: a terminal's Ctrl-C is for the service, which ends the work in order.
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const kill = (): boolean => child.kill('SIGKILL');
  const stop = killOn({ signal: request.signal, timeoutMs: request.timeoutMs, kill });
  const stderr = tail(child.stderr);
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  try {
    const [stdout, code] = await Promise.all([takeStdout(child.stdout, request, kill), closed]);
    request.signal?.throwIfAborted();
    if (code === 127 && stderr().includes('failed to execute')) throw new ProgramMissingError(request.command);
    return { code, stdout, stderr: stderr(), isTimedOut: stop.isTimedOut() };
  } catch (error) {
    request.signal?.throwIfAborted();
    throw isNotFound(error) ? new ProgramMissingError(request.command) : error;
  } finally {
    stop.clear();
  }
}

export class ProgramMissingError extends Error {
  readonly program: string;

  constructor(program: string) {
    super(`The program "${program}" is not installed or not on the PATH.`);
    this.name = 'ProgramMissingError';
    this.program = program;
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EACCES');
}

function killOn(options: { signal: AbortSignal | undefined; timeoutMs: number; kill: () => boolean }) {
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    options.kill();
  }, options.timeoutMs);
  options.signal?.addEventListener('abort', options.kill, { once: true });
  return {
    isTimedOut: (): boolean => isTimedOut,
    clear(): void {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', options.kill);
    },
  };
}

async function takeStdout(stream: AsyncIterable<Buffer>, request: ChildRequest, kill: () => boolean): Promise<string> {
  let text = '';
  let isComplete = false;
  try {
    for await (const chunk of stream) {
      if (request.onStdout) await request.onStdout(chunk);
      else if (text.length < textCharactersMax) text += chunk.toString('latin1');
      if (request.isEnough?.()) return text;
    }
    isComplete = true;
  } finally {
    if (!isComplete) kill();
  }
  return request.onStdout ? '' : Buffer.from(text, 'latin1').toString('utf8');
}

function tail(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-stderrCharactersMax);
  });
  return () => text.trim();
}

function withLimits(request: ChildRequest): { command: string; args: string[] } {
  const limits: string[] = [];
  if (request.memoryBytesMax) limits.push(`--as=${request.memoryBytesMax}`);
  if (request.fileBytesMax) limits.push(`--fsize=${request.fileBytesMax}`);
  if (limits.length === 0 || !hasLimiter()) return { command: request.command, args: request.args };
  return { command: limiter, args: [...limits, '--core=0', '--', request.command, ...request.args] };
}

let isLimiterPresent: boolean | undefined;

function hasLimiter(): boolean {
  isLimiterPresent ??= existsSync(limiter);
  return isLimiterPresent;
}
