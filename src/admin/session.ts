import { loadConfig, type Config } from '../config/config.ts';
import { createLogger, type Logger } from '../lib/logger.ts';
import type { DatabaseDeps } from '../setup/open-database.ts';
import type { ObjectStorage } from '../providers/object-storage/interface.ts';

export type OpenedDatabase = DatabaseDeps & { config: Config; log: Logger };

/** What a service consists of, whatever state it is in: nothing is migrated. */
export type OpenedServer = { databaseUrl: string; storage: ObjectStorage; config: Config; log: Logger };

export type Session = {
  /** The database of the service, joined where it runs and started where it does not. */
  database(): Promise<OpenedDatabase>;
  server(): Promise<OpenedServer>;
  /** Leaves the database as it was found. */
  close(): Promise<void>;
};

/** Opens what commands need when the first one needs it: some need nothing. Logs go to stderr. */
export function openSession({ isVerbose }: { isVerbose: () => boolean }): Session {
  let opening: Promise<OpenedDatabase> | undefined;
  let starting: Promise<OpenedServer & { close(): Promise<void> }> | undefined;
  const logOf = () => createLogger(isVerbose() ? 'info' : 'warn', process.stderr);

  async function open(): Promise<OpenedDatabase> {
    const config = await usableConfig();
    const { openDatabase } = await import('../setup/open-database.ts');
    const log = logOf();
    return { ...(await openDatabase(config, log)), config, log };
  }

  async function start() {
    const config = await usableConfig();
    const log = logOf();
    const [{ openServer }, { openStorage }] = await Promise.all([
      import('../setup/open-database.ts'),
      import('../setup/open-storage.ts'),
    ]);
    const storage = await openStorage(config);
    return { ...(await openServer(config, log)), storage, config, log };
  }

  return {
    database: () => (opening ??= open()),
    server: () => (starting ??= start()),
    async close() {
      const opened = await opening?.catch(() => undefined);
      await opened?.close();
      const started = await starting?.catch(() => undefined);
      await started?.close();
    },
  };
}

async function usableConfig(): Promise<Config> {
  const config = loadConfig();
  const { assertFolderUsable } = await import('../setup/start-checks.ts');
  await assertFolderUsable(config);
  return config;
}
