import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ObjectStorage, StorageError } from './interface.ts';

export type BreakerTiming = {
  /** How long an operation may take before the storage is checked. */
  patienceMs: number;
  /** A check that takes longer has failed. */
  checkTimeoutMs: number;
  /** How often a storage that is down is checked. */
  recheckMs: number;
};

/** `stop`: stops checking whether it is back. */
export type GuardedStorage = ObjectStorage & { stop(): void };

const usualTiming: BreakerTiming = { patienceMs: 2_000, checkTimeoutMs: 2_000, recheckMs: 1_000 };

/**
 * A storage that fails at once while its check fails. Callers waiting for a hanging one are released after two failed
 * checks, within 15 seconds. A storage that answers but cannot be written (full disk, missing right) can still be read.
 * While it is down, it is checked continually.
 */
export function withBreaker(storage: ObjectStorage, timing = usualTiming): GuardedStorage {
  const { check, assertUsable, answered, stop } = createWatch(storage, timing);
  return {
    ...storage,
    check,
    assertUsable,
    stop,
    async put(...args) {
      assertUsable();
      return answered(() => storage.put(...args));
    },
    async open(...args) {
      const close = (late: Readable): void => void late.destroy();
      return answered(() => storage.open(...args), close);
    },
    read: (...args) => answered(() => storage.read(...args)),
    stat: (...args) => answered(() => storage.stat(...args)),
    remove: (...args) => answered(() => storage.remove(...args)),
    /** What is done with the file is not up to the storage, and takes as long as it takes. */
    withLocalFile: (key, use) =>
      answered((hasAnswered) =>
        storage.withLocalFile(key, async (path) => {
          hasAnswered();
          return use(path);
        }),
      ),
  };
}

type Watch = {
  check(): Promise<void>;
  /** Throws if the last check failed. */
  assertUsable(): void;
  /** Waits for work as long as the storage answers. A later result goes to `drop`. */
  answered<T>(work: (hasAnswered: () => void) => Promise<T>, drop?: (late: T) => void): Promise<T>;
  stop(): void;
};

function createWatch(storage: Pick<ObjectStorage, 'check'>, timing: BreakerTiming): Watch {
  let outage: StorageError | null = null;
  let checking: Promise<void> | undefined;
  let isStopped = false;
  const waiting = new Set<LetGo>();

  async function check(): Promise<void> {
    checking ??= inTime(storage.check(), timing.checkTimeoutMs)
      .then(() => void (outage = null), fail)
      .finally(() => (checking = undefined));
    await checking;
    if (outage) throw outage;
  }

  function fail(error: unknown): void {
    const isFirst = outage === null;
    outage = toOutage(error);
    if (isFirst) void askUntilBack();
    else if (outage.isSilent) for (const letGo of waiting) letGo(outage);
  }

  async function askUntilBack(): Promise<void> {
    for (;;) {
      await sleep(timing.recheckMs, undefined, { ref: false });
      if (isStopped || outage === null) return;
      await check().catch(() => {});
    }
  }

  function assertUsable(): void {
    if (outage) throw outage;
  }

  return {
    check,
    assertUsable,
    async answered(work, drop = () => {}) {
      if (outage?.isSilent) throw outage;
      const asking = setInterval(() => void check().catch(() => {}), timing.patienceMs).unref();
      return unlessLetGo({ work, drop, waiting, stopAsking: () => clearInterval(asking) });
    },
    stop: () => (isStopped = true),
  };
}

type LetGo = (outage: StorageError) => void;
type Waiting<T> = {
  work: (hasAnswered: () => void) => Promise<T>;
  drop: (late: T) => void;
  waiting: Set<LetGo>;
  stopAsking(): void;
};

async function unlessLetGo<T>({ work, drop, waiting, stopAsking }: Waiting<T>): Promise<T> {
  const { promise: silence, reject } = Promise.withResolvers<never>();
  let isLetGo = false;
  const letGo: LetGo = (outage) => {
    isLetGo = true;
    reject(outage);
  };
  const stopWaiting = (): void => {
    stopAsking();
    waiting.delete(letGo);
  };
  waiting.add(letGo);
  const result = work(() => {
    stopWaiting();
    if (isLetGo) throw new StorageError('unavailable', 'The answer came too late.');
  });
  result.then(
    (late) => isLetGo && drop(late),
    () => {},
  );
  return Promise.race([result, silence]).finally(stopWaiting);
}

async function inTime(work: Promise<void>, timeoutMs: number): Promise<void> {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('no answer in time')), timeoutMs).unref();
  try {
    await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}

function toOutage(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  return new StorageError('unavailable', 'The object storage does not answer.', { cause: error, isSilent: true });
}
