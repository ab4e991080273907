import { loadConfig, type Config } from '../config.ts';
import { createLogger, type Logger } from '../lib/logger.ts';
import type { DatabaseDeps } from '../open-database.ts';

export type OpenedDatabase = DatabaseDeps & { config: Config; log: Logger };

export type Session = {
  /** The database of the service, joined where it runs and started where it does not. */
  database(): Promise<OpenedDatabase>;
  /** Leaves the database as it was found. */
  close(): Promise<void>;
};

/** Opens what commands need when the first one needs it: some need nothing. Logs go to stderr. */
export function openSession({ isVerbose }: { isVerbose: () => boolean }): Session {
  let opening: Promise<OpenedDatabase> | undefined;

  async function open(): Promise<OpenedDatabase> {
    const config = loadConfig();
    const { assertFolderUsable } = await import('../start-checks.ts');
    await assertFolderUsable(config);
    const { openDatabase } = await import('../open-database.ts');
    const log = createLogger(isVerbose() ? 'info' : 'warn', process.stderr);
    return { ...(await openDatabase(config, log)), config, log };
  }

  return {
    database: () => (opening ??= open()),
    async close() {
      const opened = await opening?.catch(() => undefined);
      await opened?.close();
    },
  };
}
