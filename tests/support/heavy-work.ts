import { availableParallelism } from 'node:os';
import { createLogger } from '../../src/lib/logger.ts';
import { createHeavyWorkPool, type HeavyWorkPool, type HeavyWorkPoolOptions } from '../../src/heavy-work/pool.ts';

/** Processes with the limits of the service. They end with this one, or with `close`. */
export function openTestPool(options: Partial<HeavyWorkPoolOptions> = {}): HeavyWorkPool {
  const log = createLogger('warn');
  const limits = { cpuMsMax: 60_000, memoryBytesMax: 1_024_000_000 };
  return createHeavyWorkPool({ size: availableParallelism(), log, ...limits, ...options });
}
