import { SafeFetchError } from './safe-fetch-error.ts';

type ClockOptions = { idleTimeoutMs: number; totalTimeoutMs: number; signal: AbortSignal | undefined };

export type FetchClock = {
  signal: AbortSignal;
  /** Why the clock ended the request; undefined as long as it runs. */
  failure: () => SafeFetchError | undefined;
  /** Tells that something arrived, which starts the idle time anew. */
  touch: () => void;
  stop: () => void;
};

/** Aborts its signal after too long a silence, too long a time in total, or when the caller's signal does. */
export function startClock({ idleTimeoutMs, totalTimeoutMs, signal }: ClockOptions): FetchClock {
  const controller = new AbortController();
  let failure: SafeFetchError | undefined;
  const end = (reason: SafeFetchError) => {
    failure ??= reason;
    controller.abort(failure);
  };
  const silent = () => end(new SafeFetchError('timeout', `Nothing arrived for ${idleTimeoutMs} ms.`));
  const idle = setTimeout(silent, idleTimeoutMs);
  const late = () => end(new SafeFetchError('timeout', `The request took longer than ${totalTimeoutMs} ms.`));
  const total = setTimeout(late, totalTimeoutMs);
  const cancel = () => end(new SafeFetchError('aborted', 'The request was cancelled.', { cause: signal?.reason }));
  if (signal?.aborted) cancel();
  else signal?.addEventListener('abort', cancel, { once: true });
  return {
    signal: controller.signal,
    failure: () => failure,
    touch: () => void idle.refresh(),
    stop() {
      clearTimeout(idle);
      clearTimeout(total);
      signal?.removeEventListener('abort', cancel);
    },
  };
}
