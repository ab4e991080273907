import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { inject } from 'vitest';

/** Migrated once a run; every test database is a copy of it. */
export const templateName = 'earshot_template';

export type TestDatabase = {
  /** Superuser connection string, as the service gets it in DATABASE_URL. */
  url: string;
  name: string;
  /** Ends what is still connected and removes the database. Also by `await using`. */
  drop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/**
 * A fresh database with all migrations applied, or an empty one (`isEmpty`), on the run's own Postgres.
 * Roles are shared by all databases of the server.
 */
export async function createTestDatabase({ isEmpty = false } = {}): Promise<TestDatabase> {
  const serverUrl = inject('postgresUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const url = await createDatabase({ serverUrl, name, template: isEmpty ? 'template0' : templateName });
  const drop = async (): Promise<void> => {
    await atServer(serverUrl, `drop database if exists ${name} with (force)`);
  };
  return { url, name, drop, [Symbol.asyncDispose]: drop };
}

type CreateDatabaseOptions = { serverUrl: string; name: string; template?: string };

/** Makes a database and gives its connection string. */
export async function createDatabase({
  serverUrl,
  name,
  template = 'template0',
}: CreateDatabaseOptions): Promise<string> {
  await atServer(serverUrl, `create database ${name} template ${template} strategy file_copy`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Of this worker, to the server of the run. Most files make several databases. */
const servers = new Map<string, postgres.Sql>();
const connecting = { max: 1, idle_timeout: 1, fetch_types: false, onnotice: () => {} };

async function atServer(url: string, statement: string): Promise<void> {
  const sql = servers.get(url) ?? postgres(url, connecting);
  servers.set(url, sql);
  await sql.unsafe(statement);
}
