import { Worker, type ResourceLimits } from 'node:worker_threads';
import type { Logger } from '../lib/logger.ts';
import type { Order, Reply } from './messages.ts';

/** What one task may take. */
export type ThreadLimits = { cpuMsMax: number; memoryBytesMax: number };

/** How an order ended: with a reply, or with the thread, which took too much or was lost. */
export type Outcome = Reply | { ended: 'time' | 'memory' | 'lost' };

export type Thread = {
  /** Resolves in any case; once the thread has ended there is nothing more to be had of it. */
  perform(order: Order): Promise<Outcome>;
  end(): Promise<void>;
};

const lookMs = 100;
/**
 * V8 ends a thread at its own limit, but takes the whole process along where a single allocation goes far beyond it. So
 * that limit is far away, and the thread is ended from outside before it gets there.
 */
const headroomMb = 1024;
const youngMb = 48;

/** Starts a thread, which is told one thing at a time. */
export function startThread({ cpuMsMax, memoryBytesMax }: ThreadLimits, log: Logger): Thread {
  const resourceLimits: ResourceLimits = {
    maxOldGenerationSizeMb: Math.ceil(memoryBytesMax / 1_000_000) + headroomMb,
    maxYoungGenerationSizeMb: youngMb,
  };
  const worker = new Worker(new URL('worker.ts', import.meta.url), { execArgv: [], env: {}, resourceLimits });
  worker.unref();
  let settle: (outcome: Outcome) => void = () => {};
  let ended: 'time' | 'memory' | 'lost' = 'lost';
  worker.on('message', (reply: Reply) => settle(reply));
  worker.on('error', (error: Error & { code?: string }) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') ended = 'memory';
    else log.error({ err: error }, 'a thread failed');
  });
  worker.on('exit', () => settle({ ended }));

  /** Looks after a task that takes its time, and ends the thread where that is too much. */
  function watch(): () => void {
    let base: number | undefined;
    const look = async (): Promise<void> => {
      const [cpu, heap] = await Promise.all([worker.cpuUsage(), worker.getHeapStatistics()]);
      const cpuMs = (cpu.user + cpu.system) / 1000;
      base ??= cpuMs;
      if (heap.used_heap_size > memoryBytesMax) ended = 'memory';
      else if (cpuMs - base > cpuMsMax) ended = 'time';
      else return;
      await worker.terminate();
    };
    // A thread that has ended meanwhile has nothing to say of itself.
    const timer = setInterval(() => void look().catch(() => {}), lookMs);
    return () => clearInterval(timer);
  }

  return {
    perform(order) {
      const { promise, resolve } = Promise.withResolvers<Outcome>();
      const unwatch = watch();
      worker.ref();
      settle = (outcome) => {
        unwatch();
        worker.unref();
        resolve(outcome);
      };
      worker.postMessage(order, []);
      return promise;
    },
    async end() {
      await worker.terminate();
    },
  };
}
