import postgres from 'postgres';

const databaseName = 'earshot';

export type ServerAddress = { port: number; password: string };

/** Connection string of the superuser, for this machine only. */
export function serverUrl({ port, password }: ServerAddress): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/${databaseName}`;
}

/** How a server answers: it does, it will once it has started or stopped, or it does not. Throws on a wrong password. */
export async function askServer(address: ServerAddress): Promise<'answers' | 'busy' | 'silent'> {
  try {
    await withSession(address, async (sql) => sql`select 1`);
    return 'answers';
  } catch (error) {
    if (!(error instanceof postgres.PostgresError)) return 'silent';
    // https://www.postgresql.org/docs/18/errcodes-appendix.html: too_many_connections is an answer, too.
    if (error.code === '53300') return 'answers';
    if (error.code.startsWith('57')) return 'busy';
    throw error;
  }
}

/** Makes the service's own database unless it is there. */
export async function ensureDatabase(address: ServerAddress): Promise<void> {
  await withSession(address, async (sql) => {
    const [known] = await sql`select 1 from pg_database where datname = ${databaseName}`;
    if (!known) await sql.unsafe(`create database ${databaseName}`);
  });
}

/** Sessions of programs that call themselves `earshot…`, by application name. */
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
