import { availableParallelism } from 'node:os';
import type { Config } from '../config/config.ts';
import type { Logger } from '../lib/logger.ts';
import { createHeavyWorkPool, type HeavyWorkPool } from '../heavy-work/pool.ts';

const processesDefaultMax = 8;

/** The processes for work on whole transcripts. They are started on demand. */
export function openHeavyWork(config: Config, log: Logger): HeavyWorkPool {
  return createHeavyWorkPool({
    log,
    size: config.SCORING_PROCESSES ?? Math.min(processesDefaultMax, availableParallelism() + 1),
    cpuMsMax: config.SCORING_SECONDS_MAX * 1000,
    memoryBytesMax: config.SCORING_MEMORY_MAX_MB * 1_000_000,
  });
}
