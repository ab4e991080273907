import { buildApp } from './app.ts';
import { loadConfig } from './config.ts';
import { buildDeps } from './deps.ts';
import { createLogger } from './lib/logger.ts';
import { serve } from './serve.ts';

try {
  const config = loadConfig();
  const log = createLogger(config.LOG_LEVEL);
  const deps = await buildDeps(config, log);
  const app = await buildApp(deps);
  const server = await serve({ app, deps });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      log.info({ signal }, 'stopping');
      server.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'could not stop cleanly');
          process.exit(1);
        },
      );
    });
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
