import path from 'node:path';
import type { Sql } from 'postgres';
import type { Config } from './config.ts';
import { connect, requireRoles, type Connections } from './db/client.ts';
import { causesOf, isDatabaseDown, isOutOfResources } from './db/failures.ts';
import { startEmbeddedPostgres } from './db/embedded-postgres.ts';
import { migrate } from './db/migrate.ts';
import { createDatabase, type Database } from './db/scope.ts';
import type { Logger } from './lib/logger.ts';
import { StartError } from './lib/start-error.ts';

export type DatabaseDeps = {
  databaseUrl: string;
  connections: Connections;
  db: Database;
  system: Sql;
  close(): Promise<void>;
};

/** What to do about a database that cannot be begun with; null for an error of another kind. */
function startErrorOf(error: unknown): StartError | null {
  const say = (text: string): StartError => new StartError(text, { cause: error });
  const code = causesOf(error).find((cause) => typeof cause.code === 'string')?.code;
  if (isDatabaseDown(error)) {
    return say(`The database cannot be reached (${code}): start it, or put DATABASE_URL right.`);
  }
  if (isOutOfResources(error))
    return say(`The database has no room (${code}): make some on its disk, then start again.`);
  // invalid_authorization_specification, invalid_password, invalid_catalog_name
  if (code === '28000' || code === '28P01' || code === '3D000') {
    return say(`The database refuses user, password or name (${code}): put DATABASE_URL right.`);
  }
  return null;
}

/** The database alone, embedded or given, up to date: all that the operator's command line needs, and loads. */
export async function openDatabase(config: Config, log: Logger): Promise<DatabaseDeps> {
  const embedded = config.DATABASE_URL
    ? undefined
    : await startEmbeddedPostgres({ dataDir: path.resolve(config.DATA_DIR), log });
  const databaseUrl = config.DATABASE_URL ?? embedded?.url ?? '';
  try {
    await migrate({ url: databaseUrl, log });
  } catch (error) {
    await embedded?.stop();
    throw startErrorOf(error) ?? error;
  }
  const connections = connect({ url: databaseUrl, poolSizeMax: config.DATABASE_POOL_SIZE });
  try {
    await requireRoles(connections);
  } catch (error) {
    await connections.close();
    await embedded?.stop();
    throw error;
  }
  return {
    databaseUrl,
    connections,
    db: createDatabase(connections),
    system: connections.system,
    async close() {
      await connections.close();
      await embedded?.stop();
    },
  };
}
