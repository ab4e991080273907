import { availableParallelism } from 'node:os';
import type { Config } from './config.ts';
import type { Logger } from './lib/logger.ts';
import { createThreadPool, type ThreadPool } from './threads/pool.ts';

const threadsDefaultMax = 8;

/** The threads for work on whole transcripts. None is started before there is some. */
export function openThreads(config: Config, log: Logger): ThreadPool {
  return createThreadPool({
    log,
    size: config.SCORING_THREADS ?? Math.min(threadsDefaultMax, availableParallelism() + 1),
    cpuMsMax: config.SCORING_SECONDS_MAX * 1000,
    memoryBytesMax: config.SCORING_MEMORY_MAX_MB * 1_000_000,
  });
}
