import { SafeFetchError } from './safe-fetch-error.ts';

type ClockOptions = { idleTimeoutMs: number; totalTimeoutMs: number; signal: AbortSignal | undefined };

export type FetchClock = {
  signal: AbortSignal;
  /** Why the clock ended the request; undefined while it runs. */
  failure: () => SafeFetchError | undefined;
  /** Restarts the idle time because something arrived. */
  touch: () => void;
  /** Pauses the clock: we are processing what arrived, not waiting for the other side. */
  hold: () => void;
  /** Resumes the clock, with a fresh idle time. */
  go: () => void;
  stop: () => void;
};

/** Aborts its signal after too long a silence, after too much time in total, or when the caller's signal aborts. */
export function startClock({ idleTimeoutMs, totalTimeoutMs, signal }: ClockOptions): FetchClock {
  const controller = new AbortController();
  let failure: SafeFetchError | undefined;
  const end = (reason: SafeFetchError) => {
    failure ??= reason;
    controller.abort(failure);
  };
  const silent = () => end(new SafeFetchError('timeout', `Nothing arrived for ${idleTimeoutMs} ms.`));
  const late = () => end(new SafeFetchError('timeout', `The request took longer than ${totalTimeoutMs} ms.`));
  const cancel = () => end(new SafeFetchError('aborted', 'The request was cancelled.', { cause: signal?.reason }));
  let leftMs = totalTimeoutMs;
  const run = () => ({
    since: performance.now(),
    idle: setTimeout(silent, idleTimeoutMs),
    total: setTimeout(late, leftMs),
  });
  let running: ReturnType<typeof run> | undefined = run();
  function hold(): void {
    if (!running) return;
    clearTimeout(running.idle);
    clearTimeout(running.total);
    leftMs = Math.max(0, leftMs - (performance.now() - running.since));
    running = undefined;
  }
  if (signal?.aborted) cancel();
  else signal?.addEventListener('abort', cancel, { once: true });
  return {
    signal: controller.signal,
    failure: () => failure,
    touch: () => void running?.idle.refresh(),
    hold,
    go: () => void (running ??= run()),
    stop() {
      hold();
      signal?.removeEventListener('abort', cancel);
    },
  };
}
