import postgres, { type Sql } from 'postgres';

const reconnectAfterSeconds = 0.25;

/**
 * One connection of the system role that is nobody else's, for locks that last as long as it does. Nothing but single
 * statements may run on it. It comes back by itself after a loss, as a new session without the locks of the old one.
 */
export function openSession(databaseUrl: string): Sql {
  return postgres(databaseUrl, {
    max: 1,
    connect_timeout: 10,
    idle_timeout: 0,
    max_lifetime: null,
    backoff: () => reconnectAfterSeconds,
    // Nothing here needs array types, and asking for them is one more thing to fail on each new connection.
    fetch_types: false,
    onnotice: () => {},
    connection: { application_name: 'earshot-pipeline', statement_timeout: 10_000, role: 'earshot_system' },
  });
}
