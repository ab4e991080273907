import { parsePgArray } from 'drizzle-orm/pg-core';
import postgres, { type Sql } from 'postgres';
import { createLanes } from './lanes.ts';
import { createPool, type OpenPool } from './driver/pool.ts';
import { createWriteWatch } from './write-watch.ts';
import { createShares } from './shares.ts';

export type DatabaseOptions = { url: string; poolSizeMax: number; applicationName?: string };

const endTimeoutSeconds = 2;
const statementTimeoutMs = 30_000;
/** What a search may take, however many words it looks for and whatever it finds. */
export const searchTimeoutMs = 2_000;
/** A process that vanished with its machine keeps its locks until the server gives up on it. */
const idleInTransactionTimeoutMs = 60_000;
/** A lost server is tried again at this pace; by default postgres.js lets queries wait up to 20 seconds for it. */
const reconnectAfterSeconds = 0.25;

/** `text[]`, which postgres.js otherwise looks up on every new connection, and dies when that is lost meanwhile. */
const textArray = {
  to: 1009,
  from: [1009],
  serialize: writeArray,
  parse: (text: string): unknown[] => parsePgArray(text),
};

/** drizzle hands over the text of an array already. */
function writeArray(values: string[] | string): string {
  if (typeof values === 'string') return values;
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/**
 * Connections to one server, each logged in as the owner of the tables but working under a role that row-level
 * security binds from the first statement on:
 *   app          one organization at a time; outside a scope (scope.ts) it sees no rows. drizzle changes its parsers.
 *   lanes        the same, for readings that are sent whole.
 *   searchLanes  the same, for searches alone: whatever they cost, other readings have their connections.
 *   system       raw SQL over the few tables that authentication and the pipeline engine need across organizations.
 */
export function connect({ url, poolSizeMax, applicationName = 'earshot' }: DatabaseOptions) {
  const opening =
    (role: string, poolSizeMax: number, timeoutMs = statementTimeoutMs): OpenPool =>
    ({ onclose, max = poolSizeMax }) =>
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
          role,
        },
      });
  const app = createPool(opening('earshot_app', poolSizeMax));
  const lanes = createLanes(opening('earshot_app', 1), poolSizeMax);
  const searchLanes = createLanes(opening('earshot_app', 1, searchTimeoutMs), Math.max(2, Math.ceil(poolSizeMax / 4)));
  const system = createPool(opening('earshot_system', Math.max(2, Math.ceil(poolSizeMax / 2))));
  return {
    app,
    writes: createWriteWatch(system),
    /** Who may have how many transactions on `app`. */
    shares: createShares(poolSizeMax),
    lanes,
    searchLanes,
    system,
    async close(): Promise<void> {
      const parts = [app, lanes, searchLanes, system];
      await Promise.all(parts.map((part) => part.end({ timeout: endTimeoutSeconds })));
    },
  };
}

export type Connections = ReturnType<typeof connect>;

/**
 * Throws where connections do not work under the roles that they were opened for, as behind a pooler that drops what
 * they begin with: row-level security stands on it.
 */
export async function requireRoles({ app, lanes, system }: Connections): Promise<void> {
  const roleOf = async (sql: Sql) => (await sql<{ role: string }[]>`select current_user as role`)[0]?.role;
  const roles = await Promise.all([roleOf(app), lanes.run('', roleOf), roleOf(system)]);
  if (roles.join() === 'earshot_app,earshot_app,earshot_system') return;
  throw new Error(
    'The database connections work under another role than theirs. Is there a connection pooler in between?',
  );
}
