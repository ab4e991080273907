import postgres from 'postgres';

export type DatabaseOptions = { url: string; poolSizeMax: number; applicationName?: string };

const statementTimeoutMs = 30_000;

/**
 * Two pools on one server, each logged in as the owner of the tables but working under a role that row-level
 * security binds from the first statement on:
 *   app      one organization at a time; outside a scope (scope.ts) it sees no rows. drizzle changes its parsers.
 *   system   raw SQL over the few tables that authentication and the pipeline engine need across organizations.
 */
export function connect({ url, poolSizeMax, applicationName = 'earshot' }: DatabaseOptions) {
  const open = (role: string, max: number) =>
    postgres(url, {
      max,
      connect_timeout: 10,
      onnotice: () => {},
      connection: { application_name: applicationName, statement_timeout: statementTimeoutMs, role },
    });
  const app = open('earshot_app', poolSizeMax);
  const system = open('earshot_system', Math.max(2, Math.ceil(poolSizeMax / 2)));
  return {
    app,
    system,
    async close(): Promise<void> {
      await Promise.all([app.end({ timeout: 5 }), system.end({ timeout: 5 })]);
    },
  };
}

export type Connections = ReturnType<typeof connect>;
