import type { Logger } from '../lib/logger.ts';
import type { Order } from './messages.ts';
import { startThread, type Outcome, type Thread, type ThreadLimits } from './thread.ts';

/** A place for a thread, which is started when there is something to do. */
export type Seat = {
  perform(order: Order): Promise<Outcome>;
  /** Ends the thread, whatever it does. There are no further orders. */
  vacate(): Promise<void>;
};

const idleMsMax = 300_000;
/** Of the memory that a task may take: a thread that holds more after one makes room for a fresh one. */
const keptShareMax = 0.25;

export function createSeat(limits: ThreadLimits, log: Logger): Seat {
  let thread: Thread | undefined;
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function performOnce(order: Order): Promise<Outcome> {
    thread ??= startThread(limits, log);
    const outcome = await thread.perform(order);
    if ('ended' in outcome || outcome.heapBytes > limits.memoryBytesMax * keptShareMax) void leave();
    return outcome;
  }

  async function leave(): Promise<void> {
    const left = thread;
    thread = undefined;
    await left?.end();
  }

  return {
    /** Once more in a fresh thread where the one at hand may have had too much of earlier work, or was broken. */
    async perform(order) {
      clearTimeout(idle);
      const wasFresh = thread === undefined;
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
