import type { Logger } from '../lib/logger.ts';
import type { Order } from './messages.ts';
import { WorkProcess, type Outcome, type ProcessLimits } from './process.ts';

/** A place for a process, which is started when there is something to do. */
export type Seat = {
  perform(order: Order): Promise<Outcome>;
  /** Ends the process, whatever it does. There are no further orders. */
  vacate(): Promise<void>;
};

const idleMsMax = 300_000;
/** Of the memory that a task may take: a process that holds more after one makes room for a fresh one. */
const keptShareMax = 0.25;

export function createSeat(limits: ProcessLimits, log: Logger): Seat {
  let own: WorkProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;

  /** It may have been ended from outside while it had nothing to do. */
  const alive = (): WorkProcess | undefined => (own?.isAlive ? own : undefined);

  async function performOnce(order: Order): Promise<Outcome> {
    const performer = alive() ?? new WorkProcess(limits, log);
    own = performer;
    const outcome = await performer.perform(order);
    if ('ended' in outcome || outcome.heapBytes > limits.memoryBytesMax * keptShareMax) void leave();
    return outcome;
  }

  async function leave(): Promise<void> {
    const left = own;
    own = undefined;
    await left?.end();
  }

  return {
    /** Once more in a fresh process where the one at hand may have had too much of earlier work, or was broken. */
    async perform(order) {
      clearTimeout(idle);
      const wasFresh = alive() === undefined;
      let outcome = await performOnce(order);
      const isToBlame = 'ended' in outcome && (outcome.ended === 'time' || (outcome.ended === 'memory' && wasFresh));
      if ('ended' in outcome && !isToBlame && !isClosed) outcome = await performOnce(order);
      if (!isClosed) idle = setTimeout(() => void leave(), idleMsMax).unref();
      return outcome;
    },
    async vacate() {
      isClosed = true;
      clearTimeout(idle);
      await leave();
    },
  };
}
