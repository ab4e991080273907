import { randomInt } from 'node:crypto';
import postgres, { type Sql } from 'postgres';
import { instanceLockSpace, readPulse, type Pulse } from './store-claims.ts';

export type Instance = {
  /** Names this instance in leases. */
  readonly key: number;
  /** Reads what there is to do, on the session that proves that this instance lives. Rejects while the database is away. */
  pulse(): Promise<Pulse>;
  close(): Promise<void>;
};

const oidMax = 2_147_483_647;
const reconnectAfterSeconds = 0.25;

/**
 * Holds an advisory lock on a session of its own for as long as the process lives. Postgres lets go of it the moment
 * the process dies, however it dies, which is how other instances (and the next start) know whose leases are free.
 */
export async function openInstance(databaseUrl: string): Promise<Instance> {
  const sql = postgres(databaseUrl, {
    max: 1,
    connect_timeout: 10,
    backoff: () => reconnectAfterSeconds,
    idle_timeout: 0,
    max_lifetime: null,
    onnotice: () => {},
    connection: { application_name: 'earshot-pipeline', statement_timeout: 10_000, role: 'earshot_system' },
  });
  try {
    const key = randomInt(1, oidMax);
    let sessionPid = await holdLock(sql, key);
    return {
      key,
      async pulse() {
        const pulse = await readPulse(sql);
        // A new session after a lost connection holds nothing yet.
        if (pulse.pid !== sessionPid) sessionPid = await holdLock(sql, key);
        return pulse;
      },
      close: () => sql.end({ timeout: 2 }),
    };
  } catch (error) {
    await sql.end({ timeout: 2 });
    throw error;
  }
}

async function holdLock(sql: Sql, key: number): Promise<number> {
  const [row] = await sql<{ pid: number; held: boolean }[]>`
    select pg_backend_pid() as pid, pg_try_advisory_lock(${instanceLockSpace}, ${key}) as held`;
  if (!row?.held) throw new Error('Another instance of the pipeline engine uses the same key.');
  return row.pid;
}
