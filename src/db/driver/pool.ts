import type { ReservedSql, Sql } from 'postgres';
import { ConnectionError } from '../failures.ts';
import { beginGuarded, type Work } from './guarded-transaction.ts';

/** Opens a pool that calls `onclose` when one of its connections ends. */
export type OpenPool = (options: { onclose(): void; max?: number }) => Sql;

const retirementMs = 60_000;
const retiredEndTimeoutSeconds = 1;

/**
 * A postgres.js pool that is replaced as soon as it loses a connection: a reopened connection keeps the unsent
 * statements and the error of its predecessor, and may never answer again. The old pool finishes what it has started.
 * LISTEN uses a pool of its own, which stays.
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
    reserve: () => openSession(open),
    listen: (...args: Parameters<Sql['listen']>) => (listening ??= open({ onclose() {} })).listen(...args),
    end,
  });
}

/**
 * A dedicated session: a pool of one, since postgres.js never reserves a new connection. It fails once the connection
 * is lost, instead of continuing on another that lacks its settings.
 */
async function openSession(open: OpenPool): Promise<ReservedSql> {
  let isLost = false;
  const session = open({ onclose: () => (isLost = true), max: 1 });
  await session`select 1`;
  return new Proxy(session, {
    apply(target, self, args: Parameters<Sql>) {
      const isQuery = Array.isArray(args[0]) && 'raw' in args[0];
      if (isLost && isQuery)
        return Promise.reject(new ConnectionError('CONNECTION_CLOSED', 'The connection of this session was lost.'));
      return Reflect.apply(target, self, args) as unknown;
    },
    get: (target, name) =>
      name === 'release'
        ? () => void target.end({ timeout: retiredEndTimeoutSeconds })
        : (Reflect.get(target, name) as unknown),
  }) as unknown as ReservedSql;
}

/** The one cast here: everything that is not overridden is the current pool's own. */
function asSql(current: () => Sql, replaced: Record<string, unknown>): Sql {
  return new Proxy(() => {}, {
    apply: (_target, _self, args: Parameters<Sql>) => current()(...args) as unknown,
    get: (_target, name) =>
      typeof name === 'string' && name in replaced ? replaced[name] : (Reflect.get(current(), name) as unknown),
  }) as unknown as Sql;
}
