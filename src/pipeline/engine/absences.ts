import type { Missing } from './store-claims.ts';

/** An instance that lives renews its leases each second, on other connections than the one that holds its lock. */
const deathMs = 4000;
/** A look that comes so late was held up by what may have held up everybody. */
const gapMsMax = 2500;

export type Absences = {
  /** Takes those who hold leases and no lock, and gives those of them who are dead. Called each second. */
  look(missing: readonly Missing[]): Missing[];
};

/**
 * A lock goes with its connection, which a process may lose while its work goes on. So an instance is dead only when it has
 * been seen without its lock for some seconds, and has renewed nothing meanwhile.
 */
export function createAbsences(clock: () => number = () => performance.now()): Absences {
  const seen = new Map<number, Missing & { since: number }>();
  let lastLookAt = -Infinity;
  return {
    look(missing) {
      const now = clock();
      const isGap = now - lastLookAt > gapMsMax;
      lastLookAt = now;
      const present = missing.map((absent) => {
        const before = seen.get(absent.owner);
        const isSame = !isGap && before?.lockedUntil === absent.lockedUntil;
        return { ...absent, since: isSame ? before.since : now };
      });
      seen.clear();
      for (const absent of present) seen.set(absent.owner, absent);
      return present.filter(({ since }) => now - since >= deathMs);
    },
  };
}
