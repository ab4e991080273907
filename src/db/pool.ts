import type { Sql } from 'postgres';
import { beginGuarded, reserveGuarded, type Work } from './guarded-transaction.ts';

/** Opens a pool that calls `onclose` whenever one of its connections has ended. */
export type OpenPool = (events: { onclose(): void }) => Sql;

const retirementMs = 60_000;
const retiredEndTimeoutSeconds = 1;

/**
 * A pool of postgres.js that is replaced as soon as it loses a connection. A connection that it opens anew keeps what
 * its predecessor had not sent and the error that it ended with, and may never answer again. The replaced pool serves
 * what it had begun. Notifications are listened for on a pool of their own, which stays.
 */
export function createPool(open: OpenPool): Sql {
  const retired = new Map<Sql, NodeJS.Timeout>();
  let isEnding = false;
  let current = openNext();
  let listening: Sql | undefined;

  function openNext(): Sql {
    const pool = open({
      onclose() {
        if (pool !== current || isEnding) return;
        current = openNext();
        retired.set(pool, setTimeout(() => void retire(pool), retirementMs).unref());
      },
    });
    return pool;
  }

  async function retire(pool: Sql): Promise<void> {
    clearTimeout(retired.get(pool));
    await pool.end({ timeout: retiredEndTimeoutSeconds });
    retired.delete(pool);
  }

  async function end(options?: { timeout?: number | undefined }): Promise<void> {
    isEnding = true;
    await Promise.all([current.end(options), listening?.end(options), ...[...retired.keys()].map(retire)]);
  }

  return asSql(() => current, {
    begin: (first: string | Work, second: Work) =>
      typeof first === 'string' ? beginGuarded(() => current, first, second) : beginGuarded(() => current, '', first),
    reserve: () => reserveGuarded(() => current),
    listen: (...args: Parameters<Sql['listen']>) => (listening ??= open({ onclose() {} })).listen(...args),
    end,
  });
}

/** The one place that vouches for the type: everything that is not replaced is the present pool's own. */
function asSql(current: () => Sql, replaced: Record<string, unknown>): Sql {
  return new Proxy(() => {}, {
    apply: (_target, _self, args: Parameters<Sql>) => current()(...args) as unknown,
    get: (_target, name) =>
      typeof name === 'string' && name in replaced ? replaced[name] : (Reflect.get(current(), name) as unknown),
  }) as unknown as Sql;
}
