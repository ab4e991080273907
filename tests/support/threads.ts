import { availableParallelism } from 'node:os';
import { createLogger } from '../../src/lib/logger.ts';
import { createThreadPool, type ThreadPool, type ThreadPoolOptions } from '../../src/threads/pool.ts';

/** Threads with the limits of the service. They end with the process, or with `close`. */
export function openTestThreads(options: Partial<ThreadPoolOptions> = {}): ThreadPool {
  const log = createLogger('warn');
  const limits = { cpuMsMax: 60_000, memoryBytesMax: 1_024_000_000 };
  return createThreadPool({ size: availableParallelism(), log, ...limits, ...options });
}
