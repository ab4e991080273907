import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseDown, isOutOfResources } from '../../db/failures.ts';
import { AppError } from '../../lib/errors.ts';

const delaysMs = [50, 200];
/** Shorter than an instance is missed for that cannot give a sign of life. */
const delayMsMax = 1000;
const attemptsMax = 6;
/** How long a database is waited for that answers, and takes nothing: its disk is full, or it is busy. */
const refusedMsMax = 600_000;

type Options = {
  /** Aborted when this process has no more time: then it is tried once more, and no longer waited for. */
  stopping: AbortSignal;
  /** What would come again. */
  isFinal(error: unknown): boolean;
};

/**
 * Writes down what has happened elsewhere and is known here alone. A database that is away is waited for as long as this
 * process lives, and everything else that may pass is tried a few times.
 */
export async function withRetries<T>(work: () => Promise<T>, { stopping, isFinal }: Options): Promise<T> {
  const startedAt = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    const isLast = stopping.aborted;
    try {
      return await work();
    } catch (error) {
      if (isLast || isFinal(error)) throw error;
      const isAway = isDatabaseDown(error);
      const isWaitedFor = isAway || (isRefused(error) && performance.now() - startedAt < refusedMsMax);
      if (!isWaitedFor && attempt >= attemptsMax) throw error;
      await pause(delaysMs[attempt - 1] ?? delayMsMax, stopping);
    }
  }
}

/** The same for what was paid for, or told to others, where all but the state of the database would come again. */
export function noteDown<T>(work: () => Promise<T>, stopping: AbortSignal): Promise<T> {
  return withRetries(work, { stopping, isFinal: (error) => !isDatabaseDown(error) && !isRefused(error) });
}

function isRefused(error: unknown): boolean {
  return isOutOfResources(error) || (error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE');
}

/** Ends early when there is no more time. */
async function pause(ms: number, stopping: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: stopping }).catch(() => {});
}
