import type { HeavyTasks, HeavyWork, Workload } from '../domain/heavy-work.ts';
import { AppError } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { TooExpensiveError } from '../lib/too-expensive.ts';
import { createFairQueue } from './fair-queue.ts';
import { toError, type Order } from './messages.ts';
import { createSeat, type Seat } from './seat.ts';
import type { Outcome, ProcessLimits } from './process.ts';

export type HeavyWorkPoolOptions = ProcessLimits & {
  /**
   * Number of processes, at least three: one is always left to other organizations, and one to tasks that somebody is
   * waiting for.
   */
  size: number;
  log: Logger;
  /** How many tasks of one organization may wait. */
  waitingMax?: number;
};

export type HeavyWorkPool = HeavyWork & {
  /** Aborts running tasks, and rejects waiting ones. */
  close(): Promise<void>;
};

type Job = { order: Order; orgId: string; resolve: (result: unknown) => void; reject: (error: Error) => void };

const waitingMaxDefault = 200;
const sizeMin = 3;

/** Processes for heavy work: started on demand, and ended after a while without work. */
export function createHeavyWorkPool(options: HeavyWorkPoolOptions): HeavyWorkPool {
  const { size, log, waitingMax = waitingMaxDefault, ...limits } = options;
  const seats = Array.from({ length: Math.max(sizeMin, size) }, () => createSeat(limits, log));
  const queue = createFairQueue<Job>({ share: seats.length - 1, waitingMax });
  const free = [...seats];
  const state = { isClosed: false };

  /** Prefers the most recently used seat: its process is running and has the rubrics cached. */
  function pump(): void {
    while (free.length > 0 && !state.isClosed) {
      const job = queue.take();
      const seat = job && free.pop();
      if (!seat) return;
      void attend(seat, job);
    }
  }

  async function attend(seat: Seat, job: Job): Promise<void> {
    try {
      const outcome = await seat.perform(job.order);
      if ('result' in outcome) job.resolve(outcome.result);
      else job.reject(state.isClosed ? stopping() : errorOf(outcome));
    } catch (error) {
      // The order could not be sent to the process.
      job.reject(error instanceof Error ? error : new Error(String(error)));
    } finally {
      free.push(seat);
      queue.done(job.orgId);
      pump();
    }
  }

  return {
    run<Name extends keyof HeavyTasks>(task: Name, input: Parameters<HeavyTasks[Name]>[0], workload: Workload) {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const job: Job = { order: { task, input }, orgId: workload.orgId, resolve, reject };
      if (state.isClosed) reject(stopping());
      else if (!queue.add(job, workload)) reject(busy());
      else pump();
      // The reply to an order is the result of the task of that name.
      return promise as Promise<ReturnType<HeavyTasks[Name]>>;
    },
    async close() {
      state.isClosed = true;
      for (const { reject } of queue.clear()) reject(stopping());
      await Promise.all(seats.map((seat) => seat.vacate()));
    },
  };
}

function errorOf(outcome: Exclude<Outcome, { result: unknown }>): Error {
  if ('fault' in outcome) return toError(outcome.fault);
  return outcome.ended === 'lost'
    ? unavailable('The work on the call broke off.')
    : new TooExpensiveError(outcome.ended);
}

function busy(): AppError {
  return unavailable('Too many calls of the organization wait to be worked on.');
}

function stopping(): AppError {
  return unavailable('The service is stopping.');
}

function unavailable(why: string): AppError {
  return new AppError('SERVICE_UNAVAILABLE', `${why} Try again in a moment.`, { headers: { 'Retry-After': '5' } });
}
