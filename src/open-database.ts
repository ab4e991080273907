import path from 'node:path';
import type { Sql } from 'postgres';
import type { Config } from './config.ts';
import { connect, requireRoles, type Connections } from './db/client.ts';
import { startEmbeddedPostgres } from './db/embedded-postgres.ts';
import { migrate } from './db/migrate.ts';
import { createDatabase, type Database } from './db/scope.ts';
import type { Logger } from './lib/logger.ts';

export type DatabaseDeps = {
  databaseUrl: string;
  connections: Connections;
  db: Database;
  system: Sql;
  close(): Promise<void>;
};

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
    throw error;
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
