import type { Counts, CountsOptions, Taken } from './counts.ts';

export type MemoryCountsOptions = CountsOptions & {
  /** Maximum number of clients; the least recently seen are evicted. */
  clientsMax: number;
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
};

/** The times of a client's requests, oldest first; those before `start` are no longer counted. */
type Times = { at: number[]; start: number };

/**
 * An exact log of each client's last minute, in this process. A request is admitted if fewer than `limit` were admitted
 * during the window before it, so no window of that length contains more than `limit`. (The fixed window of
 * `@fastify/rate-limit` admits 399 of 200 across its edge.)
 */
export function createMemoryCounts({
  limit,
  windowMs,
  clientsMax,
  now = () => performance.now(),
}: MemoryCountsOptions): Counts {
  const clients = new Map<string, Times>();

  /** Moves the client to the end of the map, whose first entry is the least recently seen. */
  function touch(client: string, nowMs: number): Times {
    const known = clients.get(client);
    if (known) clients.delete(client);
    else removeIdle(nowMs);
    const times = known ?? { at: [], start: 0 };
    clients.set(client, times);
    return times;
  }

  function removeIdle(nowMs: number): void {
    for (const [client, times] of clients) {
      if (clients.size < clientsMax && (times.at.at(-1) ?? -Infinity) >= nowMs - windowMs) return;
      clients.delete(client);
    }
  }

  function take(client: string): Taken {
    const nowMs = now();
    const times = touch(client, nowMs);
    dropBefore(times, nowMs - windowMs);
    const { at, start } = times;
    const isAllowed = at.length - start < limit;
    if (isAllowed) at.push(nowMs);
    const resetMs = (at[start] ?? nowMs) + windowMs - nowMs;
    return { isAllowed, remaining: limit - (at.length - start), resetMs, ticket: nowMs };
  }

  return {
    take,
    giveBack(client, ticket) {
      const { at = [], start = 0 } = clients.get(client) ?? {};
      const place = at.lastIndexOf(Number(ticket));
      if (place >= start) at.splice(place, 1);
    },
    close: async () => {},
  };
}

/** The array is shortened only once half of it is old, since that moves the rest. */
function dropBefore(times: Times, sinceMs: number): void {
  const { at } = times;
  while ((at[times.start] ?? sinceMs) < sinceMs) times.start += 1;
  if (times.start * 2 <= at.length) return;
  at.splice(0, times.start);
  times.start = 0;
}
