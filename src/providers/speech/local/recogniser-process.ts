import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { boundToUs, limited, yielding, type Command } from '../../../lib/child-command.ts';
import { niceness, sessionNiceness } from '../../../lib/niceness.ts';
import { lowerSession } from '../../../lib/session-niceness.ts';
import { SpeechError } from '../errors.ts';
import { describeEnd, describeFailure } from './endings.ts';
import { type RecogniserJob, RecogniserReply, type RecogniserResult, replyDescriptor } from './messages.ts';

export type ProcessOptions = {
  /** Memory that the process may allocate, where the system can enforce that. */
  memoryBytesMax: number;
  /** Longest time without a sign of life. */
  silenceMsMax: number;
  /** The program of the process; only tests use another one. */
  script?: string | undefined;
};

export type RunOptions = { signal: AbortSignal; timeoutMs: number };

const ownScript = fileURLToPath(new URL('child.ts', import.meta.url));
const replyCharactersMax = 64_000_000;
const stderrCharactersMax = 8_000;

/**
 * A process with loaded models. Whatever goes wrong in it (native code that crashes, hangs, takes all memory or prints
 * garbage) ends the process and one job, and nothing else.
 */
export class RecogniserProcess {
  readonly #options: ProcessOptions;
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  #stderr = '';
  #isAlive = true;
  #nextId = 1;
  #onReply: (reply: RecogniserReply | null) => void = () => {};
  #onEnd: () => void = () => {};

  constructor(options: ProcessOptions) {
    this.#options = options;
    const { command, args } = commandLine(options);
    // Its own process group, like other children, and an empty environment, since ours holds secrets.
    this.#child = spawn(command, args, {
      stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
      detached: true,
      env: libraryEnvironment(),
    });
    if (this.#child.pid !== undefined) void lowerSession(this.#child.pid, sessionNiceness);
    this.#exited = new Promise((resolve) => {
      const end = (): void => {
        this.#isAlive = false;
        this.#onEnd();
        resolve();
      };
      this.#child.once('error', (error) => {
        this.#stderr += error.message;
        end();
      });
      this.#child.once('close', end);
    });
    this.#child.stdin?.on('error', () => {});
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-stderrCharactersMax);
    });
    this.#readReplies();
    this.#setNeeded(false);
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Throws `SpeechError`, or the signal's reason. After either, the process is gone. */
  async run(job: Omit<RecogniserJob, 'id'>, { signal, timeoutMs }: RunOptions): Promise<RecogniserResult> {
    signal.throwIfAborted();
    this.#setNeeded(true);
    const id = this.#nextId++;
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => aborted.reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      const work = this.#work({ ...job, id }, timeoutMs);
      const result = await Promise.race([work, aborted.promise]);
      this.#setNeeded(false);
      return result;
    } catch (error) {
      await this.close();
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  async close(): Promise<void> {
    // Keeps this process alive until the job ends.
    this.#setNeeded(true);
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  #work(job: RecogniserJob, timeoutMs: number): Promise<RecogniserResult> {
    const { promise, resolve, reject } = Promise.withResolvers<RecogniserResult>();
    const { silenceMsMax, memoryBytesMax } = this.#options;
    let stage: 'starting' | 'loading' | 'listening' = 'starting';
    const tooLong = (): void => reject(new SpeechError('SPEECH_TIMEOUT', 'The local recogniser took too long.'));
    const hung = (): void => {
      reject(new SpeechError('SPEECH_TIMEOUT', 'The local recogniser stopped responding.'));
    };
    const total = setTimeout(tooLong, timeoutMs);
    let silence = setTimeout(hung, silenceMsMax);
    this.#onReply = (reply) => {
      if (reply === null) return reject(nonsense());
      if (reply.id !== job.id) return;
      if (reply.type === 'done') return resolve(reply);
      if (reply.type === 'failed') return reject(describeFailure(reply, { model: job.model.name, memoryBytesMax }));
      stage = reply.stage;
      clearTimeout(silence);
      silence = setTimeout(hung, reply.allowedMs ?? silenceMsMax);
    };
    this.#onEnd = () => {
      const { exitCode, signalCode } = this.#child;
      const end = { exitCode, signalCode, stderr: this.#stderr.trim(), stage };
      reject(describeEnd(end, { model: job.model.name, memoryBytesMax }));
    };
    if (!this.#isAlive) this.#onEnd();
    this.#child.stdin?.write(`${JSON.stringify(job)}\n`);
    return promise.finally(() => {
      clearTimeout(total);
      clearTimeout(silence);
      this.#onReply = () => {};
      this.#onEnd = () => {};
    });
  }

  #readReplies(): void {
    const stream = this.#child.stdio[replyDescriptor] as Readable;
    let sinceReply = 0;
    stream.on('error', () => {});
    stream.on('data', (chunk: Buffer) => {
      sinceReply = chunk.includes(0x0a) ? 0 : sinceReply + chunk.length;
      if (sinceReply > replyCharactersMax) this.#onReply(null);
    });
    createInterface(stream).on('line', (line) => this.#onReply(parseReply(line)));
  }

  /** An idle process must not keep the service from exiting. */
  #setNeeded(isNeeded: boolean): void {
    const handles = [this.#child, ...this.#child.stdio.filter((stream) => stream instanceof Socket)];
    for (const handle of handles) {
      if (isNeeded) handle.ref();
      else handle.unref();
    }
  }
}

function nonsense(): SpeechError {
  return new SpeechError(
    'SPEECH_BAD_RESPONSE',
    'The local recogniser answered with something that is not a transcript.',
  );
}

function parseReply(line: string): RecogniserReply | null {
  try {
    return RecogniserReply.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

/** Limits allocations, not mappings: models are mapped files, and V8 reserves far more than it uses. */
function commandLine({ memoryBytesMax, script = ownScript }: ProcessOptions): Command {
  const node = { command: process.execPath, args: [script] };
  return boundToUs(limited(yielding(node, niceness.tool), [`--data=${memoryBytesMax}`]));
}

/** Where the library finds its own parts, in case the system does not look beside it. */
function libraryEnvironment(): Record<string, string> {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const installed = path.dirname(createRequire(import.meta.url).resolve('sherpa-onnx-node/package.json'));
  const folder = path.join(installed, '..', `sherpa-onnx-${system}-${process.arch}`);
  return { LD_LIBRARY_PATH: folder, DYLD_LIBRARY_PATH: folder };
}
