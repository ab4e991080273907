import postgres from 'postgres';

const databaseName = 'earshot';

export type ServerAddress = { port: number; password: string };

/** The superuser's connection string, for this machine only. */
export function serverUrl({ port, password }: ServerAddress): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/${databaseName}`;
}

/**
 * The state of a server: it answers, it is starting or stopping, or it does not answer. Throws if the password is
 * wrong.
 */
export async function askServer(address: ServerAddress): Promise<'answers' | 'busy' | 'silent'> {
  try {
    await withSession(address, async (sql) => sql`select 1`);
    return 'answers';
  } catch (error) {
    if (!(error instanceof postgres.PostgresError)) return 'silent';
    // https://www.postgresql.org/docs/18/errcodes-appendix.html: too_many_connections is an answer too.
    if (error.code === '53300') return 'answers';
    if (error.code.startsWith('57')) return 'busy';
    throw error;
  }
}

/** Creates the service's database if it does not exist. */
export async function ensureDatabase(address: ServerAddress): Promise<void> {
  await withSession(address, async (sql) => {
    const [known] = await sql`select 1 from pg_database where datname = ${databaseName}`;
    if (!known) await sql.unsafe(`create database ${databaseName}`);
  });
}

/** Sessions of programs named `earshot…`, by application name. */
export async function listEarshotSessions(address: ServerAddress): Promise<string[]> {
  return withSession(address, async (sql) => {
    const rows = await sql<{ name: string }[]>`
      select application_name as name from pg_stat_activity where application_name like 'earshot%'`;
    return rows.map((row) => row.name);
  });
}

async function withSession<Result>(
  { port, password }: ServerAddress,
  work: (sql: postgres.Sql) => Promise<Result>,
): Promise<Result> {
  const sql = postgres({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password,
    database: 'postgres',
    ssl: false,
    max: 1,
    connect_timeout: 2,
    connection: { application_name: 'keeper' },
    onnotice: () => {},
  });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}
