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

/** What one task may take. */
export type ProcessLimits = { cpuMsMax: number; memoryBytesMax: number };

/** How an order ended: with a reply, or with the process, which took too much or was lost. */
export type Outcome = Reply | { ended: Ending };
type Ending = 'time' | 'memory' | 'lost';

const program = fileURLToPath(new URL('program.ts', import.meta.url));
/** Seldom where it takes another program to find out. */
const lookMs = process.platform === 'linux' ? 100 : 1000;
/** What the program holds before it has done anything. */
const emptyBytes = 70_000_000;
const youngMb = 16;
/** V8 collects garbage without end before it gives up at its own limit, which is for what grows between two looks. */
const heapShare = 1.5;
const besideHeapBytes = 1_000_000_000;
const stderrCharactersMax = 4_000;

/** A process that does heavy work, one order at a time. It ends with this one, and may be lost at any time. */
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
    // A session of its own, which can make way as a whole; and nothing of our environment, which holds secrets.
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

  /** False once it has ended, of which whoever had no order for it hears nothing. */
  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Resolves in any case. Throws where the order cannot be sent. */
  async perform(order: Order): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.#settle = resolve;
    if (!this.#isAlive) return { ended: this.#ended };
    this.#setNeeded(true);
    const unwatch = this.#watch();
    try {
      // That it has died meanwhile is told by its end.
      this.#child.send(order, () => {});
      return await promise;
    } finally {
      unwatch();
      this.#setNeeded(false);
    }
  }

  async end(): Promise<void> {
    this.#isUnwanted = true;
    // Whoever waits for the end must live to see it.
    this.#setNeeded(true);
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  #conclude(how: string): void {
    if (!this.#isAlive) return;
    this.#isAlive = false;
    if (this.#ended === 'lost' && /out of memory|bad_alloc/i.test(this.#stderr)) this.#ended = 'memory';
    if (this.#ended === 'lost' && !this.#isUnwanted) {
      // What it prints once it is at work may repeat what it works on.
      const why = this.#isReady ? {} : { stderr: this.#stderr };
      this.#log.error({ how, ...why }, 'a process for heavy work has died');
    }
    this.#settle({ ended: this.#ended });
  }

  /** Looks after a task that takes its time, and ends the process where that is too much. */
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

  /** One that waits for work must not keep the service from ending. */
  #setNeeded(isNeeded: boolean): void {
    const { channel, stderr } = this.#child;
    for (const handle of [this.#child, channel, stderr instanceof Socket ? stderr : null]) {
      if (isNeeded) handle?.ref();
      else handle?.unref();
    }
  }
}

/** Limits that end the process at the moment that it passes them: of its heap, and of all that it allocates. */
function commandLine({ memoryBytesMax }: ProcessLimits): Command {
  const heapBytes = emptyBytes + memoryBytesMax * heapShare;
  const heap = [`--max-old-space-size=${Math.ceil(heapBytes / 1_000_000)}`, `--max-semi-space-size=${youngMb}`];
  const node = { command: process.execPath, args: [...heap, program] };
  return boundToUs(limited(yielding(node, niceness.heavyWork), [`--data=${heapBytes + besideHeapBytes}`]));
}
