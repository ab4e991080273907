import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseDown } from '../db/failures.ts';

const delaysMs = [50, 200, 1000, 3000];

/**
 * Writes down what has happened elsewhere and is known here alone, through a restart of the database, which takes
 * seconds. Rejects at once with what `isFinal` says would come again.
 */
export async function withRetries<T>(work: () => Promise<T>, isFinal: (error: unknown) => boolean): Promise<T> {
  for (const delayMs of delaysMs) {
    try {
      return await work();
    } catch (error) {
      if (isFinal(error)) throw error;
      await delay(delayMs);
    }
  }
  return work();
}

/** The same for what was paid for, or told to others: only a database that is away is waited for. */
export async function noteDown<T>(work: () => Promise<T>, stopping: AbortSignal): Promise<T> {
  return withRetries(work, (error) => stopping.aborted || !isDatabaseDown(error));
}
