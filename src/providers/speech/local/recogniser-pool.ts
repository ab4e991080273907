import type { RecogniserJob, RecogniserResult } from './messages.ts';
import { type ProcessOptions, RecogniserProcess, type RunOptions } from './recogniser-process.ts';

export type PoolOptions = ProcessOptions & {
  processesMax: number;
  /** A process that has been idle for this long ends, and frees its memory. */
  idleMs: number;
};

type Job = Omit<RecogniserJob, 'id'>;
type Slot = { process: RecogniserProcess; key: string; idleTimer?: NodeJS.Timeout };

/** Assigns jobs to processes, each of which does one at a time and keeps its models for the next one. */
export class RecogniserPool {
  readonly #options: PoolOptions;
  readonly #idle = new Set<Slot>();
  readonly #busy = new Set<Slot>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Waits for its turn; the time limit counts from then. Throws `SpeechError`, or the signal's reason. */
  async run(job: Job, options: RunOptions): Promise<RecogniserResult> {
    await this.#turn(options.signal);
    try {
      const slot = this.#take(job);
      try {
        return await slot.process.run(job, options);
      } finally {
        this.#giveBack(slot);
      }
    } finally {
      this.#passOn();
    }
  }

  async close(): Promise<void> {
    const slots = [...this.#idle, ...this.#busy];
    this.#idle.clear();
    for (const { idleTimer } of slots) clearTimeout(idleTimer);
    await Promise.all(slots.map((slot) => slot.process.close()));
  }

  async #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#running < this.#options.processesMax) {
      this.#running += 1;
      return;
    }
    const turn = Promise.withResolvers<void>();
    const leave = (): void => {
      removeFrom(this.#waiting, turn.resolve);
      turn.reject(signal.reason);
    };
    this.#waiting.push(turn.resolve);
    signal.addEventListener('abort', leave, { once: true });
    await turn.promise.finally(() => signal.removeEventListener('abort', leave));
  }

  /** Passes the slot of a finished job to the job that has waited longest. */
  #passOn(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running -= 1;
  }

  /** A process that has the same models loaded, or a new one in place of one with other models. */
  #take(job: Job): Slot {
    const key = JSON.stringify([job.model, job.vad, job.speakers, job.threads]);
    const alive = [...this.#idle].filter((slot) => slot.process.isAlive);
    const fitting = alive.find((slot) => slot.key === key);
    const other = alive[0];
    if (!fitting && other && this.#idle.size + this.#busy.size >= this.#options.processesMax) this.#end(other);
    const slot = fitting ?? { process: new RecogniserProcess(this.#options), key };
    clearTimeout(slot.idleTimer);
    this.#idle.delete(slot);
    this.#busy.add(slot);
    return slot;
  }

  #giveBack(slot: Slot): void {
    this.#busy.delete(slot);
    if (!slot.process.isAlive) return;
    this.#idle.add(slot);
    slot.idleTimer = setTimeout(() => this.#end(slot), this.#options.idleMs).unref();
  }

  #end(slot: Slot): void {
    clearTimeout(slot.idleTimer);
    this.#idle.delete(slot);
    void slot.process.close();
  }
}

function removeFrom<Item>(items: Item[], item: Item): void {
  const index = items.indexOf(item);
  if (index >= 0) items.splice(index, 1);
}
