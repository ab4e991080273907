import { setImmediate as afterEvents } from 'node:timers/promises';
import type { Sql, TransactionSql } from 'postgres';
import { hungUp } from '../deadline.ts';
import { ConnectionError, isDatabaseDown } from '../failures.ts';

export type Work = (client: TransactionSql) => unknown;

/**
 * A transaction that survives the loss of its connection. postgres.js sends the next statement, even its own ROLLBACK,
 * to the dead socket from a callback that nobody can catch, and the process crashes. But `begin` itself rejects as soon
 * as the connection is lost, so from then on the work is kept from ending, and nothing follows it. If the work has not
 * started, it is tried again on another connection.
 */
export async function beginGuarded(pool: () => Sql, options: string, work: Work): Promise<unknown> {
  const state = { isBegun: false, isOver: false };
  const guard =
    (work: Work): Work =>
    async (client) => {
      state.isBegun = true;
      guardSavepoints(client, guard);
      try {
        const result = await work(refusingOnceOver(client, state));
        return state.isOver ? await neverEnding() : result;
      } catch (error) {
        // The failed statement is reported before the lost connection that caused it.
        await (isDatabaseDown(error) ? hungUp() : afterEvents());
        if (state.isOver) await neverEnding();
        throw error;
      }
    };
  const guarded = guard(work);
  try {
    return await pool()
      .begin(options, guarded)
      .catch(async (error: unknown) => {
        if (state.isBegun || !isDatabaseDown(error)) throw error;
        await hungUp();
        return pool().begin(options, guarded);
      });
  } finally {
    state.isOver = true;
  }
}

/** Statements that the work sends after the loss would go to the dead socket as well. */
function refusingOnceOver(client: TransactionSql, state: { isOver: boolean }): TransactionSql {
  const assertHere = (): void => {
    if (state.isOver) throw new ConnectionError('CONNECTION_CLOSED', 'The connection of this transaction was lost.');
  };
  return new Proxy(client, {
    apply(target, self, args: Parameters<TransactionSql>) {
      assertHere();
      return Reflect.apply(target, self, args) as unknown;
    },
    get(target, name) {
      if (name === 'unsafe') assertHere();
      return Reflect.get(target, name) as unknown;
    },
  });
}

/** A savepoint ends with a statement of its own, like a transaction. */
function guardSavepoints(client: TransactionSql, guard: (work: Work) => Work): void {
  const { savepoint } = client;
  const guarded = async (work: Work): Promise<unknown> => savepoint(guard(work));
  Object.assign(client, { savepoint: guarded });
}

function neverEnding(): Promise<never> {
  return new Promise(() => {});
}
