import { randomBytes } from 'node:crypto';
import { createClient, defineScript, type CommandParser } from '@redis/client';
import type { Logger } from '../../lib/logger.ts';
import type { Counts, CountsOptions, Taken } from './counts.ts';

export type RedisCountsOptions = CountsOptions & {
  url: string;
  /** Counts for this instance alone while Redis is down. */
  fallback: Counts;
  log: Pick<Logger, 'warn' | 'info'>;
  /** Longer than Redis ever takes, yet short enough for a request to wait. Default 250. */
  answerTimeoutMs?: number | undefined;
};

const keyPrefix = 'earshot:requests:';
const reconnectAfterMs = 500;
/** After a failure, Redis is not asked for this long. */
const pauseMs = 1_000;

/**
 * One count over all instances, by Redis's clock. Each request runs one script, which Redis executes atomically. Errors
 * never fail the request: the fallback counts, and the log says so once.
 */
export function createRedisCounts(options: RedisCountsOptions): Counts {
  const { url, limit, windowMs, fallback, log, answerTimeoutMs = 250 } = options;
  const client = openClient(url);
  const instance = randomBytes(6).toString('base64url');
  let requests = 0;
  let pausedUntilMs = 0;
  let isAway = false;

  function goAway(err: unknown): void {
    if (!isAway) log.warn({ err }, 'Redis cannot be reached: requests are counted by this instance alone');
    isAway = true;
    pausedUntilMs = performance.now() + pauseMs;
  }

  function comeBack(): void {
    if (isAway) log.info('Redis is back: requests are counted over all instances');
    isAway = false;
  }

  async function ask<T>(question: () => Promise<T>): Promise<T | null> {
    if (!client.isReady || performance.now() < pausedUntilMs) return null;
    try {
      const answer = await inTime(question(), answerTimeoutMs);
      comeBack();
      return answer;
    } catch (err) {
      goAway(err);
      return null;
    }
  }

  client.on('error', goAway);
  client.connect().catch(goAway);
  return {
    async take(key) {
      const ticket = `${instance}:${++requests}`;
      const answer = await ask(() => client.take(`${keyPrefix}${key}`, { windowMs, limit, ticket }));
      return answer ? { ...answer, remaining: Math.max(0, limit - answer.count), ticket } : fallback.take(key);
    },
    async giveBack(key, ticket) {
      if (typeof ticket === 'number') await fallback.giveBack(key, ticket);
      else await ask(() => client.zRem(`${keyPrefix}${key}`, ticket));
    },
    close: async () => client.destroy(),
  };
}

type TakeArguments = CountsOptions & { ticket: string };

/** Times are whole microseconds, which a Lua number represents exactly. */
const take = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `
    local clock = redis.call('TIME')
    local now = clock[1] * 1000000 + clock[2]
    local window = ARGV[1] * 1000
    redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('(%.0f', now - window))
    local count = redis.call('ZCARD', KEYS[1])
    local isAllowed = count < tonumber(ARGV[2])
    if isAllowed then
      redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[3])
      redis.call('PEXPIRE', KEYS[1], ARGV[1])
      count = count + 1
    end
    local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]
    return { isAllowed and 1 or 0, count, oldest + window - now }`,
  parseCommand(parser: CommandParser, key: string, { windowMs, limit, ticket }: TakeArguments) {
    parser.pushKey(key);
    parser.push(String(windowMs), String(limit), ticket);
  },
  transformReply(reply: unknown): Pick<Taken, 'isAllowed' | 'resetMs'> & { count: number } {
    const [isAllowed, count = 0, resetMicroseconds = 0] = reply as number[];
    return { isAllowed: isAllowed === 1, count, resetMs: resetMicroseconds / 1000 };
  },
});

function openClient(url: string) {
  return createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    scripts: { take },
    socket: { connectTimeout: 2_000, reconnectStrategy: () => reconnectAfterMs },
  });
}

async function inTime<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  // Replies that arrived while this process was busy are read first: that delay is not Redis's fault.
  const expire = (): void => void setImmediate(() => reject(new Error('Redis did not answer in time.')));
  const timer = setTimeout(expire, timeoutMs);
  try {
    return await Promise.race([answer, expired]);
  } finally {
    clearTimeout(timer);
  }
}
