import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import type { Lifecycle, Services } from '../deps.ts';
import { within } from '../lib/within.ts';
import { readQuery } from './query.ts';
import { restPrefix } from './endpoints.ts';

type CheckName = keyof Services['checks'];
type State = 'ok' | 'down';
type HealthOptions = {
  services: Pick<Services, 'checks'>;
  version: string;
  role: Config['ROLE'];
  lifecycle: Lifecycle;
};

const checkTimeoutMs = 2_000;
const retryAfterSeconds = '5';

/** What a process needs for its own work: accepted calls can wait for the pipeline. */
const needed: Record<Config['ROLE'], CheckName[]> = {
  all: ['database', 'storage'],
  web: ['database', 'storage'],
  worker: ['database', 'storage', 'pipeline'],
};

/**
 * Public. `/api/v1/health` is the state of the service: 503 as soon as one part is down. `/health/ready` tells load
 * balancers whether to send requests to this process. `/health/live` tells whether to restart it.
 */
export async function health(
  app: FastifyInstance,
  { services, version, role, lifecycle }: HealthOptions,
): Promise<void> {
  // Other traffic from the same address must not lock monitoring out.
  const config = { counted: 'apart' as const, isAlwaysAnswered: true };
  app.addHook('onRequest', (_req, reply, done) => {
    reply.header('Cache-Control', 'no-store');
    done();
  });

  app.get(`${restPrefix}/health`, { config }, async (req, reply) => {
    readQuery(req, []);
    const checks = await check(services, Object.keys(services.checks) as CheckName[]);
    const isWell = isAllWell(checks);
    if (!isWell) reply.code(503).header('Retry-After', retryAfterSeconds);
    const status = isWell ? 'ok' : 'degraded';
    return { data: { status, version, uptime: Math.floor(process.uptime()), checks } };
  });

  app.get('/health/ready', { config }, async (_req, reply) => {
    // A database that rejects changes can still be read; only requests that write are told.
    const checks = await check(services, needed[role], role === 'worker' ? undefined : 'reading');
    const status = lifecycle.isStopping ? 'stopping' : isAllWell(checks) ? 'ready' : 'degraded';
    if (status !== 'ready') reply.code(503).header('Retry-After', retryAfterSeconds);
    return { data: { status, role, checks } };
  });

  app.get('/health/live', { config }, async () => ({ data: { status: 'live', role } }));
}

async function check(
  { checks }: HealthOptions['services'],
  names: CheckName[],
  need?: 'reading',
): Promise<Record<string, State>> {
  const states = await Promise.all(names.map(async (name) => [name, await stateOf(() => checks[name](need))] as const));
  return Object.fromEntries(states);
}

function isAllWell(checks: Record<string, State>): boolean {
  return Object.values(checks).every((state) => state === 'ok');
}

async function stateOf(check: () => Promise<void>): Promise<State> {
  const answer = check().then(
    () => 'ok' as const,
    () => 'down' as const,
  );
  return (await within(answer, checkTimeoutMs)) ?? 'down';
}
