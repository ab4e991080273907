import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseDown, isOutOfResources } from '../../db/failures.ts';
import { AppError } from '../../lib/errors.ts';

const delaysMs = [50, 200];
/** Shorter than the time after which a silent instance counts as missing. */
const delayMsMax = 1000;
const attemptsMax = 6;
/** How long to wait for a database that answers but accepts no changes: its disk is full, or it is busy. */
const refusedMsMax = 600_000;

type Options = {
  /** Aborted when this process must end: then there is one last try. */
  stopping: AbortSignal;
  /** Whether the error would occur again. */
  isFinal(error: unknown): boolean;
};

/**
 * Records something that happened elsewhere and is known only here. Waits for an unavailable database as long as this
 * process lives, and retries other temporary errors a few times.
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

/**
 * The same for results that were paid for or sent to others: any database error is retried, unless the data itself is
 * the cause.
 */
export function noteDown<T>(work: () => Promise<T>, stopping: AbortSignal): Promise<T> {
  return withRetries(work, { stopping, isFinal: (error) => !isDatabaseDown(error) && !isRefused(error) });
}

function isRefused(error: unknown): boolean {
  return isOutOfResources(error) || (error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE');
}

/** Ends early if the process must end. */
async function pause(ms: number, stopping: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: stopping }).catch(() => {});
}
