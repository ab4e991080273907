import { buildApp } from './app.ts';
import { loadConfig, type Config } from './config/config.ts';
import { buildDeps } from './deps.ts';
import { StartError } from './lib/start-error.ts';
import { createLogger, type Logger } from './lib/logger.ts';
import { keepCompiled } from './lib/quick-loading.ts';
import { serve, type RunningServer } from './serve.ts';
import { assertCanStart } from './setup/start-checks.ts';

/** Stopping is done in less; this is for what hangs. */
const stopTimeoutMs = 9_500;

/** The service from its configuration to its end: nothing ends the process without stopping what it has started. */
export function startService({ end }: { end: (exitCode: number) => void }): void {
  const config = loadConfig();
  const log = createLogger(config.LOG_LEVEL);
  let isStopping = false;
  const starting = open({ config, log, isStopping: () => isStopping });

  function stop(exitCode: number): void {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => end(1), stopTimeoutMs + config.SHUTDOWN_DELAY_SECONDS * 1000).unref();
    starting
      .then((server) => server.stop({ isFault: exitCode !== 0 }))
      .then(
        () => end(exitCode),
        (error: unknown) => {
          log.error({ err: error }, 'could not stop cleanly');
          end(1);
        },
      );
  }

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // A terminal and npm may both send it: the second one changes nothing.
    process.on(signal, () => {
      if (!isStopping) log.info({ signal }, 'stopping');
      stop(0);
    });
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, 'stopping after an error that nobody caught');
      stop(1);
    });
  }
  starting.then(keepCompiled, (error: unknown) => {
    // What its reader can put right is told in words; everything else is ours to find out.
    if (error instanceof StartError) process.stderr.write(`${error.message}\n`);
    else log.fatal({ err: error }, 'could not start');
    end(1);
  });
}

type Opening = { config: Config; log: Logger; isStopping: () => boolean };

async function open({ config, log, isStopping }: Opening): Promise<RunningServer> {
  await assertCanStart(config);
  const deps = await buildDeps(config, log);
  // What nobody wants any more is not begun: on a slow machine the time to stop would be gone with it.
  if (isStopping()) return { baseUrl: '', stop: () => deps.close() };
  try {
    return await serve({ app: await buildApp(deps), deps });
  } catch (error) {
    await deps.close();
    throw error;
  }
}
