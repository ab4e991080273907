import type { Sql } from 'postgres';
import { isOutOfResources, isPermissionDenied } from './failures.ts';

/**
 * Knows whether the database accepts changes: with a full disk, or as a replica, it answers reads and refuses writes.
 */
export type WriteWatch = {
  /** Call with every error of a transaction. */
  note(error: unknown): void;
  /** Rejects while nothing can be written. Tests that by writing after a failure, and now and then without one. */
  check(): Promise<void>;
};

const trialEveryMs = 60_000;
const trialAgainAfterMs = 2_000;

export function createWriteWatch(system: Sql): WriteWatch {
  let isSuspected = false;
  let latest: { at: number; result: Promise<void> } | undefined;

  return {
    note(error) {
      if (isSuspected || !isOutOfResources(error)) return;
      isSuspected = true;
      latest = undefined;
    },
    async check() {
      const isRecent = latest && Date.now() - latest.at < (isSuspected ? trialAgainAfterMs : trialEveryMs);
      if (!isRecent) {
        const trial = { at: Date.now(), result: writeSomething(system) };
        latest = trial;
        const settle = (hasFailed: boolean) => () => {
          // A test that began before the latest failure proves nothing about it.
          if (latest === trial) isSuspected = hasFailed;
        };
        trial.result.then(settle(false), settle(true));
      }
      await latest?.result;
    },
  };
}

/** About 300 KB of pages that no table has room for yet, discarded with the transaction. */
async function writeSomething(system: Sql): Promise<void> {
  try {
    await system.begin(async (sql) => {
      await sql`create temporary table write_trial on commit drop as
        select gen_random_uuid()::text as filler from generate_series(1, 5000)`;
    });
  } catch (error) {
    // Some operators forbid temporary tables; then only real failures are noticed.
    if (!isPermissionDenied(error)) throw error;
  }
}
