import type { Config } from '../config/config.ts';

/**
 * Concurrent steps of all workers together. The limits of functions apply to all of them, so they are derived from
 * this.
 */
export function stepsMaxOf({ PIPELINE_CONCURRENCY, PIPELINE_WORKERS }: Config): number {
  return PIPELINE_CONCURRENCY * PIPELINE_WORKERS;
}
