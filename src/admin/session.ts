import { loadConfig, type Config } from '../config/config.ts';
import { createLogger, type Logger } from '../lib/logger.ts';
import type { DatabaseDeps } from '../setup/open-database.ts';
import type { ObjectStorage } from '../providers/object-storage/interface.ts';

export type OpenedDatabase = DatabaseDeps & { config: Config; log: Logger };

/** The parts of a service, in whatever state: nothing is migrated. */
export type OpenedServer = { databaseUrl: string; storage: ObjectStorage; config: Config; log: Logger };

export type Session = {
  /** The service's database, joined if it runs and started if it does not. */
  database(): Promise<OpenedDatabase>;
  server(): Promise<OpenedServer>;
  /** Stops the database if this session started it. */
  close(): Promise<void>;
};

/** Opens each part when a command first needs it. Logs go to stderr. */
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
