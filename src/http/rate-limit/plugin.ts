import fp from 'fastify-plugin';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/config.ts';
import { AppError } from '../../lib/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Services } from '../../deps.ts';
import { limitBy, type Admission, type RateLimit } from './limiter.ts';
import type { Senders } from './look-up.ts';
import { createMemoryCounts } from './memory-counts.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The request's state in the rate limit; absent if it is not counted. */
    admission?: Admission;
  }
  interface FastifyContextConfig {
    /** `apart`: counted by address, separately from other requests. `not`: not counted. */
    counted?: 'apart' | 'not';
    /** The address contains the credential, as parameter `ticket`. */
    isTicketed?: true;
  }
}

const windowMs = 60_000;
const clientsMax = 50_000;

type RateLimitOptions = {
  settings: Pick<Config, 'RATE_LIMIT_PER_MINUTE' | 'REDIS_URL'>;
  log: Logger;
  services: Pick<Services, 'auth' | 'tickets'>;
  /** How long a request waits for Redis; 250 ms by default. */
  redisTimeoutMs?: number | undefined;
};

/** The first hook of all: every request counts, whatever else is wrong with it. */
export const rateLimit = fp(async function rateLimit(app: FastifyInstance, { limit }: { limit: RateLimit }) {
  app.addHook('onRequest', (req, reply, done) => {
    const pending = req.routeOptions.config?.counted === 'not' ? undefined : limit.admit(req, reply);
    if (pending) return pending;
    done();
  });
  app.addHook('onClose', () => limit.close());
});

/** Null if the settings say that there is no limit. */
export async function createRateLimit(options: RateLimitOptions): Promise<RateLimit | null> {
  const { settings, log, services, redisTimeoutMs: answerTimeoutMs } = options;
  const { RATE_LIMIT_PER_MINUTE: limit, REDIS_URL: url } = settings;
  if (limit === 0) return null;
  const senders = sendersBy(services);
  const memory = createMemoryCounts({ limit, windowMs, clientsMax });
  if (!url) return limitBy({ counts: memory, limit, windowMs, senders });
  const { createRedisCounts } = await import('./redis-counts.ts');
  return limitBy({
    counts: createRedisCounts({ url, limit, windowMs, fallback: memory, log, answerTimeoutMs }),
    limit,
    windowMs,
    senders,
  });
}

function sendersBy({ auth, tickets }: RateLimitOptions['services']): Senders {
  return {
    async identify(headers) {
      try {
        return (await auth.authenticate(headers, { anew: false })).principal;
      } catch (error) {
        if (error instanceof AppError && error.code === 'UNAUTHORIZED') return null;
        throw error;
      }
    },
    exists: auth.exists,
    readTicket: tickets.read,
  };
}
