import type { Missing } from './store-claims.ts';

/** A living instance renews its leases every second, on other connections than the one with its lock. */
const deathMs = 4000;
/** A check this late was delayed by something that may have delayed everybody. */
const gapMsMax = 2500;

export type Absences = {
  /** Takes the instances that hold leases but no lock, and returns those that are dead. Called every second. */
  look(missing: readonly Missing[]): Missing[];
};

/**
 * A lock is lost with its connection, while the process may go on working. So an instance is only dead if it has been
 * without its lock for some seconds and has renewed nothing meanwhile.
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
