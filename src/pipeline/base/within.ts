/**
 * Resolves with what `work` gives, or with undefined after `timeoutMs`: for waits that must not hold up a stop. What
 * comes of the work afterwards, its rejection included, is dropped.
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
