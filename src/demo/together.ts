/** Runs tasks in parallel. If one fails, the others are aborted and awaited, and its error is thrown. */
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
  // The reason is the first failure, of which the others are consequences.
  failure.signal.throwIfAborted();
  return Promise.all(running);
}
