import { setTimeout as delay } from 'node:timers/promises';

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
