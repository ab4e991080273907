import { availableParallelism } from 'node:os';
import { AppError } from '../../src/lib/errors.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { createHeavyWorkPool, type HeavyWorkPool, type HeavyWorkPoolOptions } from '../../src/heavy-work/pool.ts';

/** Processes with the limits of the service. They end with this one, or with `close`. */
export function openTestPool(options: Partial<HeavyWorkPoolOptions> = {}): HeavyWorkPool {
  const log = createLogger('warn');
  const limits = { cpuMsMax: 60_000, memoryBytesMax: 1_024_000_000 };
  return createHeavyWorkPool({ size: availableParallelism(), log, ...limits, ...options });
}

let shared: HeavyWorkPool | undefined;

/**
 * Processes that all services of this test process share, since a process takes a second of processor time to load the
 * models and to compile its first rubric. `close` ends what this service waits for, as a pool of its own does.
 */
export function shareTestPool(): HeavyWorkPool {
  const pool = (shared ??= openTestPool({ size: availableParallelism() + 1 }));
  const { promise: closed, reject } = Promise.withResolvers<never>();
  closed.catch(() => {});
  return {
    run: (task, input, workload) => Promise.race([pool.run(task, input, workload), closed]),
    async close() {
      reject(new AppError('SERVICE_UNAVAILABLE', 'The service is stopping.'));
    },
  };
}
