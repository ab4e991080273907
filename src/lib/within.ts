/**
 * Resolves with the result of `work`, or undefined after `timeoutMs`, for waits that must not delay a stop. A late
 * result or rejection is dropped.
 */
export async function within<T>(work: Promise<T>, timeoutMs: number): Promise<T | undefined> {
  work.catch(() => {});
  const { promise: expired, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), timeoutMs);
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}
