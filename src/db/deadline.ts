import { setTimeout as sleep } from 'node:timers/promises';
import { countTransaction } from '../lib/metrics.ts';
import { ConnectionError, isDatabaseDown } from './failures.ts';

const answerTimeoutMs = 5_000;
const secondTimeoutMsMin = 1_000;
const hangUpMs = 20;

/** How work that must start in time reports back. */
export type Wait = {
  /** Reports that the work has started; false if nobody waits for it any more. */
  started(): boolean;
  /** `cancel` is called when the time is up, and may return a more specific error. */
  onExpired(cancel: () => Error | undefined): void;
};

/**
 * Rejects if `work` has not called `started` in time. postgres.js has no such limit: a query waits until there is a
 * connection. A late result is dropped.
 */
export async function startedInTime<T>(work: (wait: Wait) => PromiseLike<T>, timeoutMs = answerTimeoutMs): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let isExpired = false;
  let cancel: () => Error | undefined = () => undefined;
  const counted = countTransaction();
  const timer = setTimeout(() => {
    isExpired = true;
    reject(cancel() ?? new ConnectionError('CONNECT_TIMEOUT', 'The database gave no connection in time.'));
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
    work(wait).then(resolve, reject);
    return await promise;
  } finally {
    clearTimeout(timer);
    counted.ended();
  }
}

/**
 * A server that shuts down says so before it closes the connection. A statement sent in between may never be answered.
 */
export function hungUp(): Promise<void> {
  return sleep(hangUpMs);
}

/**
 * For reads, and for single writes that may be repeated: tried twice, since the first statement on a new connection may
 * receive the error of its predecessor. Both attempts share the time, but the second gets at least a second.
 */
export async function answeredInTime<T>(read: (wait: Wait) => PromiseLike<T>): Promise<T> {
  const startedAt = performance.now();
  try {
    return await startedInTime(read);
  } catch (error) {
    if (!isDatabaseDown(error) || isTimeUp(error)) throw error;
    await hungUp();
    return startedInTime(read, Math.max(secondTimeoutMsMin, answerTimeoutMs - (performance.now() - startedAt)));
  }
}

/** Whether the server is down or all connections are busy, so that the time of both attempts is used up. */
function isTimeUp(error: unknown): boolean {
  return error instanceof ConnectionError && error.code === 'CONNECT_TIMEOUT';
}
