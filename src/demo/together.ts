/** Runs tasks side by side. When one fails, the others are told to end, are waited for, and its error is thrown. */
export async function together<Result>(
  tasks: ((signal: AbortSignal) => Promise<Result>)[],
  signal: AbortSignal,
): Promise<Result[]> {
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  const running = tasks.map(async (task) => {
    try {
      return await task(either);
    } catch (error) {
      failure.abort(error);
      throw error;
    }
  });
  await Promise.allSettled(running);
  // The reason is the first failure; those of the others only follow from it.
  failure.signal.throwIfAborted();
  return Promise.all(running);
}
