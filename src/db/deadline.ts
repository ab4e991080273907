import { setTimeout as sleep } from 'node:timers/promises';
import { countTransaction } from '../lib/metrics.ts';
import { isDatabaseDown } from './failures.ts';

const answerTimeoutMs = 5_000;
const secondTimeoutMsMin = 1_000;
const hangUpMs = 20;

/** No connection could be had in time: the server is gone, or every connection is busy. Reads as a database that is down. */
class DatabaseTimeoutError extends Error {
  readonly code = 'CONNECT_TIMEOUT';

  constructor() {
    super('The database gave no connection in time.');
    this.name = 'DatabaseTimeoutError';
  }
}

/** What work is told with that has to begin in time. */
export type Wait = {
  /** Says that the work has begun; false where nobody waits for it any more. */
  started(): boolean;
  /** `cancel` is called when the time is over, and may tell why it was not enough. */
  onExpired(cancel: () => Error | undefined): void;
};

/**
 * Ends the wait for `work` when it has not called `started` in time. postgres.js has no such limit: a query waits for as
 * long as there is no connection. What comes of the work afterwards is dropped.
 */
export async function startedInTime<T>(work: (wait: Wait) => PromiseLike<T>, timeoutMs = answerTimeoutMs): Promise<T> {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  let isExpired = false;
  let cancel: () => Error | undefined = () => undefined;
  const counted = countTransaction();
  const timer = setTimeout(() => {
    isExpired = true;
    reject(cancel() ?? new DatabaseTimeoutError());
  }, timeoutMs);
  const wait: Wait = {
    started() {
      clearTimeout(timer);
      counted.started();
      return !isExpired;
    },
    onExpired: (then) => (cancel = then),
  };
  try {
    return await Promise.race([work(wait), expired]);
  } finally {
    clearTimeout(timer);
    counted.ended();
  }
}

/** A server that goes away says so before it hangs up. A statement sent in between may never be answered. */
export function hungUp(): Promise<void> {
  return sleep(hangUpMs);
}

/**
 * For readings, and single writes that may be repeated: tried twice, since the first statement on a new connection may
 * be given the end of its predecessor.
 * Both attempts share the time, but the second has a second at least.
 */
export async function answeredInTime<T>(read: (wait: Wait) => PromiseLike<T>): Promise<T> {
  const startedAt = performance.now();
  try {
    return await startedInTime(read);
  } catch (error) {
    if (!isDatabaseDown(error) || error instanceof DatabaseTimeoutError) throw error;
    await hungUp();
    return startedInTime(read, Math.max(secondTimeoutMsMin, answerTimeoutMs - (performance.now() - startedAt)));
  }
}
