import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { endingOf } from '../lib/child.ts';
import { boundToUs, limited, yielding, type Command } from '../lib/child-command.ts';
import type { Logger } from '../lib/logger.ts';
import { niceness, sessionNiceness } from '../lib/niceness.ts';
import { usageOf, type ProcessUsage } from '../lib/process-usage.ts';
import { lowerSession } from '../lib/session-niceness.ts';
import type { Order, Reply, Report } from './messages.ts';

/** Limits of one task. */
export type ProcessLimits = { cpuMsMax: number; memoryBytesMax: number };

/** How an order ended: with a reply, or with the end of the process, which exceeded a limit or was lost. */
export type Outcome = Reply | { ended: Ending };
type Ending = 'time' | 'memory' | 'lost';

const program = fileURLToPath(new URL('program.ts', import.meta.url));
/** Less often where it takes another program to find out. */
const lookMs = process.platform === 'linux' ? 100 : 1000;
/** Memory of the program before its first task. */
const emptyBytes = 70_000_000;
const youngMb = 16;
/** V8 collects garbage endlessly before it gives up at its own limit, which only catches growth between two checks. */
const heapShare = 1.5;
const besideHeapBytes = 1_000_000_000;
const stderrCharactersMax = 4_000;

/** A process for heavy work, one task at a time. It ends with this process, and may die at any time. */
export class WorkProcess {
  readonly #limits: ProcessLimits;
  readonly #log: Logger;
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  #isReady = false;
  #isAlive = true;
  #isUnwanted = false;
  #ended: Ending = 'lost';
  #stderr = '';
  #settle: (outcome: Outcome) => void = () => {};

  constructor(limits: ProcessLimits, log: Logger) {
    this.#limits = limits;
    this.#log = log;
    const { command, args } = commandLine(limits);
    // A session of its own, so that it yields as a whole, and an empty environment, since ours holds secrets.
    this.#child = spawn(command, args, {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
      detached: true,
      env: {},
    });
    if (this.#child.pid !== undefined) void lowerSession(this.#child.pid, sessionNiceness);
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-stderrCharactersMax);
    });
    this.#child.on('message', (report: Report) => {
      if (report === 'ready') this.#isReady = true;
      else this.#settle(report);
    });
    this.#exited = new Promise((resolve) => {
      this.#child.once('error', (error) => resolve(this.#conclude(error.message)));
      this.#child.once('close', (code, signal) => {
        const ending = endingOf(code, signal);
        resolve(this.#conclude(ending.lostTo ?? `exit code ${ending.code}`));
      });
    });
    this.#setNeeded(false);
  }

  /** False once it has ended. Nobody is notified of that between tasks. */
  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Always resolves, but throws if the order cannot be sent. */
  async perform(order: Order): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.#settle = resolve;
    if (!this.#isAlive) return { ended: this.#ended };
    this.#setNeeded(true);
    const unwatch = this.#watch();
    try {
      // If the process has died meanwhile, its `exit` event says so.
      this.#child.send(order, () => {});
      return await promise;
    } finally {
      unwatch();
      this.#setNeeded(false);
    }
  }

  async end(): Promise<void> {
    this.#isUnwanted = true;
    // Keeps this process alive until the end of the task.
    this.#setNeeded(true);
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  #conclude(how: string): void {
    if (!this.#isAlive) return;
    this.#isAlive = false;
    if (this.#ended === 'lost' && /out of memory|bad_alloc/i.test(this.#stderr)) this.#ended = 'memory';
    if (this.#ended === 'lost' && !this.#isUnwanted) {
      // Once it is working, its output may repeat the data that it works on.
      const why = this.#isReady ? {} : { stderr: this.#stderr };
      this.#log.error({ how, ...why }, 'a process for heavy work has died');
    }
    this.#settle({ ended: this.#ended });
  }

  /** Watches a long task, and kills the process if it exceeds its limits. */
  #watch(): () => void {
    const { pid } = this.#child;
    const { cpuMsMax, memoryBytesMax } = this.#limits;
    let base: ProcessUsage | undefined;
    let isOver = false;
    const look = async (): Promise<void> => {
      const used = this.#isReady && pid !== undefined ? await usageOf(pid) : undefined;
      if (!used || isOver) return;
      base ??= used;
      if (used.memoryBytes > emptyBytes + memoryBytesMax) this.#ended = 'memory';
      else if (used.cpuMs - base.cpuMs > cpuMsMax) this.#ended = 'time';
      else return;
      this.#child.kill('SIGKILL');
    };
    const timer = setInterval(() => void look(), lookMs);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }

  /** An idle process must not keep the service from exiting. */
  #setNeeded(isNeeded: boolean): void {
    const { channel, stderr } = this.#child;
    for (const handle of [this.#child, channel, stderr instanceof Socket ? stderr : null]) {
      if (isNeeded) handle?.ref();
      else handle?.unref();
    }
  }
}

/** Limits enforced by the system: of its heap, and of all its allocations. */
function commandLine({ memoryBytesMax }: ProcessLimits): Command {
  const heapBytes = emptyBytes + memoryBytesMax * heapShare;
  const heap = [`--max-old-space-size=${Math.ceil(heapBytes / 1_000_000)}`, `--max-semi-space-size=${youngMb}`];
  const node = { command: process.execPath, args: [...heap, program] };
  return boundToUs(limited(yielding(node, niceness.heavyWork), [`--data=${heapBytes + besideHeapBytes}`]));
}
