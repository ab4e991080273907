import path from 'node:path';
import type { Sql } from 'postgres';
import type { Config } from '../config/config.ts';
import { connect, requireRoles, type Connections } from '../db/client.ts';
import { causesOf, isDatabaseDown, isOutOfResources } from '../db/failures.ts';
import { startEmbeddedPostgres } from '../db/embedded-postgres.ts';
import { migrate } from '../db/migrate.ts';
import { createDatabase, type Database } from '../db/scope.ts';
import type { Logger } from '../lib/logger.ts';
import { StartError } from '../lib/start-error.ts';

export type DatabaseDeps = {
  databaseUrl: string;
  connections: Connections;
  db: Database;
  system: Sql;
  close(): Promise<void>;
};

/** What to do if the database cannot be opened; null for other errors. */
function startErrorOf(error: unknown): StartError | null {
  const say = (text: string): StartError => new StartError(text, { cause: error });
  const code = causesOf(error).find((cause) => typeof cause.code === 'string')?.code;
  if (isDatabaseDown(error)) {
    return say(`The database cannot be reached (${code}): start it, or correct DATABASE_URL.`);
  }
  if (isOutOfResources(error)) return say(`The disk of the database is full (${code}): make room, then start again.`);
  // invalid_authorization_specification, invalid_password, invalid_catalog_name
  if (code === '28000' || code === '28P01' || code === '3D000') {
    return say(`The database refuses the user, password or name (${code}): correct DATABASE_URL.`);
  }
  return null;
}

/** A running server and the address of its database, migrated or not. */
export type Server = { databaseUrl: string; close(): Promise<void> };

/** The server of DATABASE_URL, or the embedded one, which is joined if it runs and started if it does not. */
export async function openServer(config: Config, log: Logger): Promise<Server> {
  if (config.DATABASE_URL !== undefined) return { databaseUrl: config.DATABASE_URL, close: async () => {} };
  const { url, stop } = await startEmbeddedPostgres({ dataDir: path.resolve(config.DATA_DIR), log });
  return { databaseUrl: url, close: stop };
}

/** The database alone, migrated: all that the operator's command line needs and loads. */
export async function openDatabase(config: Config, log: Logger): Promise<DatabaseDeps> {
  const server = await openServer(config, log);
  const { databaseUrl } = server;
  try {
    await migrate({ url: databaseUrl, log });
  } catch (error) {
    await server.close();
    throw startErrorOf(error) ?? error;
  }
  const connections = connect({ url: databaseUrl, poolSizeMax: config.DATABASE_POOL_SIZE });
  async function close(): Promise<void> {
    await connections.close();
    await server.close();
  }
  try {
    await requireRoles(connections);
  } catch (error) {
    await close();
    throw error;
  }
  return { databaseUrl, connections, db: createDatabase(connections), system: connections.system, close };
}
