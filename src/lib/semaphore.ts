export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs at most `atOnce` tasks at the same time; the others wait in the order in which they arrived. */
export function createSemaphore(atOnce: number): Semaphore {
  const waiting: (() => void)[] = [];
  let free = atOnce;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
