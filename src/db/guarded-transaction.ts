import { setImmediate as afterEvents } from 'node:timers/promises';
import type { ReservedSql, Sql, TransactionSql } from 'postgres';
import { isDatabaseDown } from './failures.ts';

export type Work = (client: TransactionSql) => unknown;

/**
 * A transaction that survives the loss of its connection. postgres.js sends whatever comes next, its own ROLLBACK
 * included, to a socket that is gone, from a callback that nobody can catch: the process dies. But `begin` itself rejects
 * as soon as the connection is lost, so the work is kept from ending then, and nothing follows it.
 * Tried again on another connection where the work has not begun.
 */
export async function beginGuarded(pool: () => Sql, options: string, work: Work): Promise<unknown> {
  const state = { isBegun: false, isOver: false };
  const guarded: Work = async (client) => {
    state.isBegun = true;
    try {
      const result = await work(client);
      return state.isOver ? await neverEnding() : result;
    } catch (error) {
      // The failed statement is told before the loss that failed it.
      await afterEvents();
      if (state.isOver) await neverEnding();
      throw error;
    }
  };
  try {
    return await pool()
      .begin(options, guarded)
      .catch((error: unknown) => {
        if (state.isBegun || !isDatabaseDown(error)) throw error;
        return pool().begin(options, guarded);
      });
  } finally {
    state.isOver = true;
  }
}

/** A session of its own that says so once its connection is lost, instead of writing to a socket that is gone. */
export async function reserveGuarded(pool: () => Sql): Promise<ReservedSql> {
  const session = await pool().reserve();
  let loss: Error | undefined;
  const options = {
    onexecute(connection: object) {
      Object.assign(connection, { onclose: (error: Error) => (loss = error) });
      return true;
    },
  };
  // What postgres.js itself learns the connection of a transaction by; its types do not show it.
  await session.unsafe('select 1', [], options as object);
  return new Proxy(session, {
    apply(target, self, args: Parameters<ReservedSql>) {
      if (loss && Array.isArray(args[0]) && 'raw' in args[0]) return Promise.reject(loss);
      return Reflect.apply(target, self, args) as unknown;
    },
    // A lost connection is back in its pool already, as one to be opened anew.
    get: (target, name) => (name === 'release' && loss ? () => {} : (Reflect.get(target, name) as unknown)),
  });
}

function neverEnding(): Promise<never> {
  return new Promise(() => {});
}
