import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { baseUrlOf } from './config.ts';
import type { Deps } from './deps.ts';

const drainTimeoutMs = 5_000;
const pipelineGraceMs = 4_000;

export type RunningServer = { baseUrl: string; stop(): Promise<void> };

/** Listens, and stops within ten seconds: requests in flight may end, kept-alive connections may not hold it up. */
export async function serve({ app, deps }: { app: FastifyInstance; deps: Deps }): Promise<RunningServer> {
  const { config, log } = deps;
  let isDraining = false;
  app.addHook('onSend', async (_req, reply) => {
    if (isDraining) reply.header('Connection', 'close');
  });
  await app.listen({ port: config.PORT, host: config.HOST, listenTextResolver: () => 'listening' });
  const { port } = app.server.address() as AddressInfo;
  const baseUrl = baseUrlOf(config, port);
  await deps.start();
  log.info({ baseUrl, startupMs: Math.round(performance.now()) }, 'ready');

  async function stop(): Promise<void> {
    isDraining = true;
    const timer = setTimeout(() => app.server.closeAllConnections(), drainTimeoutMs);
    try {
      await Promise.all([app.close(), deps.services.pipeline.stop({ graceMs: pipelineGraceMs })]);
    } finally {
      clearTimeout(timer);
      await deps.close();
    }
  }
  return { baseUrl, stop };
}
