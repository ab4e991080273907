import fp from 'fastify-plugin';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { AppError } from '../../lib/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import {
  clientOf,
  clientOfAddress,
  clientOfDigest,
  createKnownClients,
  digestOfCredential,
  isCredentialWellFormed,
  type Presented,
  type Sender,
} from './client.ts';
import type { Counts, Taken } from './counts.ts';
import { createMemoryCounts } from './memory-counts.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the rate limit has to learn about the sender; absent where nothing is counted. */
    admission?: Admission;
  }
  interface FastifyContextConfig {
    /** `apart`: counted by address, and not together with anything else. `not`: not counted at all. */
    counted?: 'apart' | 'not';
    /** The address itself holds the credential, as its parameter `ticket`. */
    isTicketed?: true;
  }
}

export type Admission = {
  /** Counts the request for who sent it, instead of where it came from. Throws RATE_LIMITED. */
  identified(sender: Sender): Promise<void>;
  /** The credential is good for nothing: from now on its requests count for where they come from. */
  refused(): void;
};

export type RateLimit = {
  /** Counts a request and tells its sender. Throws RATE_LIMITED. */
  admit(req: FastifyRequest, reply: FastifyReply): Promise<void>;
  close(): Promise<void>;
};

const windowMs = 60_000;
const clientsMax = 50_000;

type Settings = Pick<Config, 'RATE_LIMIT_PER_MINUTE' | 'REDIS_URL'>;

/** The first hook of all: whatever else may be wrong with a request, it is counted. */
export const rateLimit = fp(async function rateLimit(app: FastifyInstance, { limit }: { limit: RateLimit }) {
  app.addHook('onRequest', async (req, reply) => {
    if (req.routeOptions.config?.counted !== 'not') await limit.admit(req, reply);
  });
  app.addHook('onClose', () => limit.close());
});

/** By the settings; null where they say that there is no limit. */
export async function createRateLimit(settings: Settings, log: Logger): Promise<RateLimit | null> {
  const { RATE_LIMIT_PER_MINUTE: limit, REDIS_URL: url } = settings;
  if (limit === 0) return null;
  const memory = createMemoryCounts({ limit, windowMs, clientsMax });
  if (!url) return limitBy(memory, limit);
  const { createRedisCounts } = await import('./redis-counts.ts');
  return limitBy(createRedisCounts({ url, limit, windowMs, fallback: memory, log }), limit);
}

/**
 * A request counts for its API token, else its user, else its address. Before anybody has looked at a credential that is not
 * known yet, it counts for the credential AND the address: so nobody gets past the limit by inventing credentials.
 */
function limitBy(counts: Counts, limit: number): RateLimit {
  const known = createKnownClients();

  async function take(client: string, reply: FastifyReply): Promise<Taken> {
    const pending = counts.take(client);
    const taken = pending instanceof Promise ? await pending : pending;
    const { isAllowed, remaining, resetMs } = taken;
    const resetSeconds = Math.floor(resetMs / 1000) + 1;
    reply.headers({ 'RateLimit-Limit': limit, 'RateLimit-Remaining': remaining, 'RateLimit-Reset': resetSeconds });
    if (!isAllowed) throw tooMany(resetSeconds);
    return taken;
  }

  /** The credential is counted at once, so that requests with it count even where nobody looks at it. */
  async function takeUnknown({ req, reply, digest }: { req: FastifyRequest; reply: FastifyReply; digest: string }) {
    const address = clientOfAddress(req.ip);
    const byAddress = await take(address, reply);
    if (!isCredentialWellFormed(presentedBy(req))) return;
    const byDigest = await take(clientOfDigest(digest), reply);
    let isCounted = false;
    req.admission = {
      async identified(sender) {
        if (isCounted) return;
        isCounted = true;
        const client = clientOf(sender, digest);
        known.remember(digest, client);
        await counts.giveBack(address, byAddress.ticket);
        if (client === clientOfDigest(digest)) return;
        await counts.giveBack(clientOfDigest(digest), byDigest.ticket);
        await take(client, reply);
      },
      refused() {},
    };
  }

  async function admit(req: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (req.routeOptions.config?.counted === 'apart') {
      await take(`${req.routeOptions.url}:${clientOfAddress(req.ip)}`, reply);
      return;
    }
    const digest = digestOfCredential(presentedBy(req));
    const client = digest === null ? undefined : known.recall(digest);
    if (digest === null) await take(clientOfAddress(req.ip), reply);
    else if (client === undefined) await takeUnknown({ req, reply, digest });
    else {
      await take(client, reply);
      req.admission = { identified: async () => {}, refused: () => known.forget(digest) };
    }
  }

  return { admit, close: () => counts.close() };
}

function presentedBy({ headers, params, routeOptions }: FastifyRequest): Presented {
  return { headers, ticket: routeOptions.config?.isTicketed ? (params as { ticket: string }).ticket : null };
}

function tooMany(retryAfterSeconds: number): AppError {
  return new AppError('RATE_LIMITED', 'Too many requests. Try again later.', {
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
}
