import type { Logger } from '../lib/logger.ts';
import type { Order } from './messages.ts';
import { WorkProcess, type Outcome, type ProcessLimits } from './process.ts';

/** A slot for a process, which is started when there is work. */
export type Seat = {
  perform(order: Order): Promise<Outcome>;
  /** Kills the process, whatever it is doing. No further orders are accepted. */
  vacate(): Promise<void>;
};

const idleMsMax = 300_000;
/** Share of a task's memory limit: a process that holds more than this afterwards is replaced by a fresh one. */
const keptShareMax = 0.25;

export function createSeat(limits: ProcessLimits, log: Logger): Seat {
  let own: WorkProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;

  /** It may have been killed while idle. */
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
    /** Retries in a fresh process if the current one may still hold memory of earlier tasks, or was broken. */
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
