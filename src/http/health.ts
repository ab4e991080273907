import type { FastifyInstance } from 'fastify';
import type { Services } from '../deps.ts';
import { restPrefix } from './rest.ts';

const checkTimeoutMs = 2_000;

/** Public. 503 as soon as one part is down, so that a load balancer looks elsewhere. */
export async function health(
  app: FastifyInstance,
  { services, version }: { services: Services; version: string },
): Promise<void> {
  // Those who watch over the service are not to be shut out by other traffic from where they are.
  app.get(`${restPrefix}/health`, { config: { counted: 'apart', isAlwaysAnswered: true } }, async (_req, reply) => {
    const names = Object.keys(services.checks) as (keyof Services['checks'])[];
    const states = await Promise.all(names.map(async (name) => [name, await stateOf(services.checks[name])] as const));
    const isWell = states.every(([, state]) => state === 'ok');
    const data = {
      status: isWell ? 'ok' : 'degraded',
      version,
      uptime: Math.floor(process.uptime()),
      checks: Object.fromEntries(states),
    };
    if (!isWell) reply.header('Retry-After', '5');
    return reply
      .code(isWell ? 200 : 503)
      .header('Cache-Control', 'no-store')
      .send({ data });
  });
}

async function stateOf(check: () => Promise<void>): Promise<'ok' | 'down'> {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('no answer in time')), checkTimeoutMs);
  try {
    await Promise.race([check(), expired]);
    return 'ok';
  } catch {
    return 'down';
  } finally {
    clearTimeout(timer);
  }
}
