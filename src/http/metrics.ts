import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import type { Services } from '../deps.ts';
import { AppError } from '../lib/errors.ts';
import { countProcess, registry } from '../lib/metrics.ts';
import { isFromThisMachine } from './this-machine.ts';

type MetricsOptions = {
  config: Pick<Config, 'METRICS_TOKEN' | 'TRUSTED_PROXIES'>;
  services: Pick<Services, 'measure'>;
};

/**
 * `GET /metrics` for Prometheus: with `METRICS_TOKEN`, or from this machine only without one. Others get 404. No label
 * names an organization, a person or a call.
 */
export async function metrics(app: FastifyInstance, { config, services }: MetricsOptions): Promise<void> {
  countProcess();
  const isAdmitted = createAdmission(config);
  app.get('/metrics', { config: { counted: 'apart', isAlwaysAnswered: true } }, async (req, reply) => {
    isAdmitted(req);
    // While the database is down, the metrics of this process matter all the more.
    await services.measure().catch((err: unknown) => req.log.warn({ err }, 'the queues could not be measured'));
    return reply
      .type(registry.contentType)
      .header('Cache-Control', 'no-store')
      .send(await registry.metrics());
  });
}

function createAdmission(config: MetricsOptions['config']) {
  const { METRICS_TOKEN: token } = config;
  if (token !== undefined) {
    const expected = digest(`Bearer ${token}`);
    return ({ headers }: FastifyRequest) => {
      if (timingSafeEqual(digest(headers.authorization ?? ''), expected)) return;
      throw new AppError('UNAUTHORIZED', 'Metrics need the token that the operator has set.', {
        headers: { 'WWW-Authenticate': 'Bearer' },
      });
    };
  }
  return (req: FastifyRequest) => {
    if (!isFromThisMachine(req, config)) throw new AppError('NOT_FOUND', 'There is nothing at this address.');
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
