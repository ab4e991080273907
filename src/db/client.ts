import { parsePgArray } from 'drizzle-orm/pg-core';
import postgres, { type Sql } from 'postgres';
import { createReaders } from './readers.ts';
import { createPool, type OpenPool } from './driver/pool.ts';
import { createWriteWatch } from './write-watch.ts';
import { createShares } from './shares.ts';

export type DatabaseOptions = { url: string; poolSizeMax: number; applicationName?: string };

const endTimeoutSeconds = 2;
const statementTimeoutMs = 30_000;
/** Time limit of a search, however many words it has and matches it finds. */
export const searchTimeoutMs = 2_000;
/** A process that disappeared with its machine keeps its locks until the server drops the connection. */
const idleInTransactionTimeoutMs = 60_000;
/** How often to reconnect to a lost server; by default, postgres.js waits up to 20 seconds. */
const reconnectAfterSeconds = 0.25;

/**
 * Declares `text[]`, which postgres.js would otherwise look up on every new connection, and crash if that is lost
 * meanwhile.
 */
const textArray = {
  to: 1009,
  from: [1009],
  serialize: writeArray,
  parse: (text: string): unknown[] => parsePgArray(text),
};

/** drizzle has already serialized the array. */
function writeArray(values: string[] | string): string {
  if (typeof values === 'string') return values;
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/**
 * Connections to one server, each logged in as the owner of the tables but working under a role that is subject to
 * row-level security from the first statement on:
 *   app            one organization at a time; outside a scope (scope.ts) it sees no rows. drizzle changes its parsers.
 *   readers        the same, for reads that are sent as a whole; it cannot change anything.
 *   searchReaders  the same, for searches only, so that expensive ones leave connections for other reads.
 *   system         raw SQL over the few tables that authentication and the pipeline engine need across organizations.
 */
export function connect({ url, poolSizeMax, applicationName = 'earshot' }: DatabaseOptions) {
  const opening =
    (role: string, sizeMax: number, { isReading = false, timeoutMs = statementTimeoutMs } = {}): OpenPool =>
    ({ onclose, max = sizeMax }) =>
      postgres(url, {
        max,
        max_lifetime: null,
        connect_timeout: 10,
        backoff: () => reconnectAfterSeconds,
        fetch_types: false,
        types: { textArray },
        onnotice: () => {},
        onclose,
        connection: {
          application_name: applicationName,
          statement_timeout: timeoutMs,
          idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
          default_transaction_read_only: isReading,
          role,
        },
      });
  const app = createPool(opening('earshot_app', poolSizeMax));
  const readers = createReaders(opening('earshot_app', 1, { isReading: true }), poolSizeMax);
  const searchReaders = createReaders(
    opening('earshot_app', 1, { isReading: true, timeoutMs: searchTimeoutMs }),
    Math.max(2, Math.ceil(poolSizeMax / 4)),
  );
  const system = createPool(opening('earshot_system', Math.max(2, Math.ceil(poolSizeMax / 2))));
  return {
    app,
    writes: createWriteWatch(system),
    /** Limits the transactions of each organization on `app`. */
    shares: createShares(poolSizeMax),
    readers,
    searchReaders,
    system,
    async close(): Promise<void> {
      const parts = [app, readers, searchReaders, system];
      await Promise.all(parts.map((part) => part.end({ timeout: endTimeoutSeconds })));
    },
  };
}

export type Connections = ReturnType<typeof connect>;

/**
 * Throws if connections do not work under their roles, as behind a pooler that drops startup parameters: row-level
 * security depends on them.
 */
export async function requireRoles({ app, readers, system }: Connections): Promise<void> {
  const roleOf = async (sql: Sql) => (await sql<{ role: string }[]>`select current_user as role`)[0]?.role;
  const roles = await Promise.all([roleOf(app), readers.run('', roleOf), roleOf(system)]);
  if (roles.join() === 'earshot_app,earshot_app,earshot_system') return;
  throw new Error('The database connections do not have the expected roles. Is there a connection pooler in between?');
}
