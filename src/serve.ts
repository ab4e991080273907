import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { baseUrlOf, type Config } from './config/config.ts';
import { signInModeOf } from './config/sign-in.ts';
import type { Deps } from './deps.ts';
import { portErrorOf } from './setup/start-checks.ts';

const drainTimeoutMs = 5_000;
const pipelineGraceMs = 4_000;

/** `isFault`: stopping because of an uncaught error. */
export type RunningServer = { baseUrl: string; stop(options?: { isFault?: boolean }): Promise<void> };

async function listen(app: FastifyInstance, config: Config): Promise<void> {
  const { HOST: host, PORT: port } = config;
  try {
    await app.listen({ port, host, listenTextResolver: () => 'listening' });
  } catch (error) {
    // The port was free when the start began.
    throw portErrorOf(error, config) ?? error;
  }
}

/** What the console says while nobody can sign in. Not in the log, which is kept and shipped. */
async function findWelcome({ config, services: { accounts } }: Deps, baseUrl: string): Promise<string | null> {
  if (config.ROLE === 'worker' || signInModeOf(config) !== 'accounts') return null;
  const token = await accounts.offerFirstOwner();
  if (token !== null) {
    return `Create the first account within an hour:\n  ${new URL(baseUrl).origin}/account/links/${token}`;
  }
  const email = await accounts.findWaitingOwner();
  return email === null ? null : `Nobody has a password yet. Make a link: npm run admin -- user link ${email}`;
}

/**
 * Listens, and stops within ten seconds: requests in flight may finish, kept-alive connections do not delay it. Before
 * that, it answers everything but refuses readiness for `SHUTDOWN_DELAY_SECONDS`.
 */
export async function serve({ app, deps }: { app: FastifyInstance; deps: Deps }): Promise<RunningServer> {
  const { config, log, lifecycle } = deps;
  let isDraining = false;
  app.addHook('onSend', async (_req, reply) => {
    if (isDraining) reply.header('Connection', 'close');
  });
  await listen(app, config);
  const { port } = app.server.address() as AddressInfo;
  const baseUrl = baseUrlOf(config, port);
  // Whatever may fail a start comes before `ready`: from then on, the database may go away and the service stays.
  const welcome = await findWelcome(deps, baseUrl);
  await deps.start();
  log.info({ baseUrl, startupMs: Math.round(performance.now()) }, 'ready');
  if (welcome !== null) process.stderr.write(`\n  ${welcome}\n\n`);

  async function stop({ isFault = false } = {}): Promise<void> {
    lifecycle.isStopping = true;
    if (config.ROLE !== 'worker') await sleep(config.SHUTDOWN_DELAY_SECONDS * 1000);
    isDraining = true;
    const timer = setTimeout(() => app.server.closeAllConnections(), drainTimeoutMs);
    try {
      await Promise.all([app.close(), deps.services.pipeline.stop({ graceMs: pipelineGraceMs, isFault })]);
    } finally {
      clearTimeout(timer);
      await deps.close();
    }
  }
  return { baseUrl, stop };
}
