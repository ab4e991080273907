import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { boundToUs, isUnknownProgram, limited, yielding } from './child-command.ts';
import { niceness, sessionNiceness } from './niceness.ts';
import { lowerSession } from './session-niceness.ts';

export type ChildRequest = {
  command: string;
  args: string[];
  signal?: AbortSignal | undefined;
  /** A function is called again when its time is up: output so far may justify more time. */
  timeoutMs: number | (() => number);
  memoryBytesMax?: number | undefined;
  /** Written to the child's standard input, which is closed otherwise. */
  stdin?: Iterable<Uint8Array> | AsyncIterable<Uint8Array> | undefined;
  /** Receives standard output as it arrives, while the child waits. Without it, the output is collected as text. */
  onStdout?: ((chunk: Buffer) => Promise<void> | void) | undefined;
};

export type ChildResult = { code: number; stdout: string; stderr: string };

const textCharactersMax = 8_000_000;
const stderrCharactersMax = 8_000;

/**
 * Runs one tool as a child process, limited in time and, where `prlimit` exists, in memory. Where `setpriv` exists, it
 * dies with this process. Resolves only if the child exits by itself: the output of a killed child is never a result.
 * It is killed when the signal aborts or when its output or input fails. Throws the signal's reason, whatever
 * `onStdout` or `stdin` threw, `ProgramMissingError`, `ChildTimeoutError` or `ChildLostError`.
 */
export async function runChild(request: ChildRequest): Promise<ChildResult> {
  request.signal?.throwIfAborted();
  const limits = request.memoryBytesMax ? [`--as=${request.memoryBytesMax}`] : [];
  const { command, args } = boundToUs(limited(yielding(request, niceness.tool), limits));
  // A process group of its own: Ctrl-C in a terminal is meant for the service, which stops its work in order.
  const child = spawn(command, args, { stdio: 'pipe', detached: true });
  if (child.pid !== undefined) void lowerSession(child.pid, sessionNiceness);
  const kill = (): boolean => child.kill('SIGKILL');
  const watch = killOn(request, kill);
  const stderr = tail(child.stderr);
  const ended = new Promise<ChildEnding>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(endingOf(code, signal)));
  });
  const passed = Promise.all([takeStdout(child.stdout, request), feed(child.stdin, request.stdin ?? [])]);
  passed.catch(kill);
  try {
    const { code, lostTo } = await ended;
    const [stdout] = await passed;
    request.signal?.throwIfAborted();
    if (code === null && watch.isTimedOut()) throw new ChildTimeoutError(request.command);
    if (code === null) throw new ChildLostError(request.command, { lostTo, stderr: stderr() });
    if (isUnknownProgram(code, stderr())) throw new ProgramMissingError(request.command);
    return { code, stdout, stderr: stderr() };
  } catch (error) {
    request.signal?.throwIfAborted();
    throw isNotFound(error) ? new ProgramMissingError(request.command) : error;
  } finally {
    watch.clear();
  }
}

/** How a process ended: it exited with a code, or something else ended it. */
export type ChildEnding = { code: number; lostTo: null } | { code: null; lostTo: string };

/** A shell reports a program that was killed by a signal with the exit code 128 + the signal's number. */
const signalCodes = { first: 129, last: 159 };

export function endingOf(code: number | null, signal: string | null): ChildEnding {
  if (code === null || signal !== null) return { code: null, lostTo: signal ?? 'an unknown cause' };
  const isOfSignal = code >= signalCodes.first && code <= signalCodes.last;
  return isOfSignal ? { code: null, lostTo: `exit code ${code}` } : { code, lostTo: null };
}

export class ProgramMissingError extends Error {
  readonly program: string;

  constructor(program: string) {
    super(`The program "${program}" is not installed or not on the PATH.`);
    this.name = 'ProgramMissingError';
    this.program = program;
  }
}

/** Neither the child itself nor this process ended it, so nothing is known about its work. */
export class ChildLostError extends Error {
  readonly program: string;
  readonly stderr: string;

  constructor(program: string, { lostTo, stderr }: { lostTo: string; stderr: string }) {
    super(`The program "${program}" was ended by ${lostTo}.`);
    this.name = 'ChildLostError';
    this.program = program;
    this.stderr = stderr;
  }
}

export class ChildTimeoutError extends Error {
  readonly program: string;

  constructor(program: string) {
    super(`The program "${program}" took too long.`);
    this.name = 'ChildTimeoutError';
    this.program = program;
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EACCES');
}

function killOn({ signal, timeoutMs }: ChildRequest, kill: () => boolean) {
  const startedAt = performance.now();
  const allowedMs = typeof timeoutMs === 'function' ? timeoutMs : () => timeoutMs;
  let isTimedOut = false;
  const look = (): void => {
    const leftMs = allowedMs() - (performance.now() - startedAt);
    if (leftMs > 0) timer = setTimeout(look, Math.ceil(leftMs));
    else isTimedOut = kill();
  };
  let timer = setTimeout(look, allowedMs());
  signal?.addEventListener('abort', kill, { once: true });
  return {
    isTimedOut: (): boolean => isTimedOut,
    clear(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', kill);
    },
  };
}

async function takeStdout(stream: AsyncIterable<Buffer>, { onStdout }: ChildRequest): Promise<string> {
  let text = '';
  for await (const chunk of stream) {
    if (onStdout) await onStdout(chunk);
    else if (text.length < textCharactersMax) text += chunk.toString('latin1');
  }
  return Buffer.from(text, 'latin1').toString('utf8');
}

/** A child that has read enough closes its input; that is no error. */
async function feed(stream: Writable, source: NonNullable<ChildRequest['stdin']>): Promise<void> {
  stream.on('error', () => {});
  for await (const chunk of source) {
    if (stream.destroyed) return;
    if (!stream.write(chunk)) await drained(stream);
  }
  stream.end();
}

function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done);
      stream.off('close', done);
      resolve();
    };
    stream.once('drain', done);
    stream.once('close', done);
  });
}

function tail(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-stderrCharactersMax);
  });
  return () => text.trim();
}
