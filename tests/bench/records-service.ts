import { buildApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import { buildDeps } from '../../src/deps.ts';
import { createLogger } from '../../src/lib/logger.ts';

/** The whole service on the database given as JSON, without its pipeline. Prints its address. */
type Input = { databaseUrl: string; dataDir: string; env?: Record<string, string> };
const { databaseUrl, dataDir, env } = JSON.parse(process.argv[2] ?? '{}') as Input;
const config = loadConfig({
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
  PORT: '0',
  LOG_LEVEL: 'warn',
  // Counts every request, as it would, and lets it pass.
  RATE_LIMIT_PER_MINUTE: '10000000',
  ...env,
});
const deps = await buildDeps(config, createLogger(config.LOG_LEVEL));
const app = await buildApp(deps);
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
process.once('SIGTERM', () => {
  void app.close().then(() => deps.close());
});
