import type { Config } from '../config/config.ts';

/** Steps that all workers together have room for. The limits of functions hold over all of them, so they go by this. */
export function roomOf({ PIPELINE_CONCURRENCY, PIPELINE_WORKERS }: Config): number {
  return PIPELINE_CONCURRENCY * PIPELINE_WORKERS;
}
