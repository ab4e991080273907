import { buildApp } from './app.ts';
import { loadConfig, type Config } from './config/config.ts';
import { buildDeps } from './deps.ts';
import { StartError } from './lib/start-error.ts';
import { createLogger, type Logger } from './lib/logger.ts';
import { niceness } from './lib/niceness.ts';
import { keepCompiled } from './lib/quick-loading.ts';
import { lowerV8Helpers } from './lib/v8-helpers.ts';
import { serve, type RunningServer } from './serve.ts';
import { assertCanStart } from './setup/start-checks.ts';

/** A normal stop is faster; this is for hangs. */
const stopTimeoutMs = 9_500;

/** Runs the service from configuration to shutdown. Nothing ends the process without stopping what it started. */
export function startService({ end }: { end: (exitCode: number) => void }): void {
  const config = loadConfig();
  const log = createLogger(config.LOG_LEVEL);
  lowerV8Helpers(niceness.v8Helpers);
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
    // A terminal and npm may both send the signal; the second one is ignored.
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
    // Errors that the operator can fix are explained; everything else is logged as a bug.
    if (error instanceof StartError) process.stderr.write(`${error.message}\n`);
    else log.fatal({ err: error }, 'could not start');
    end(1);
  });
}

type Opening = { config: Config; log: Logger; isStopping: () => boolean };

async function open({ config, log, isStopping }: Opening): Promise<RunningServer> {
  await assertCanStart(config);
  const deps = await buildDeps(config, log);
  // The stop was requested meanwhile: do not start listening, as on a slow machine that would use up the time to stop.
  if (isStopping()) return { baseUrl: '', stop: () => deps.close() };
  try {
    return await serve({ app: await buildApp(deps), deps });
  } catch (error) {
    await deps.close();
    throw error;
  }
}
