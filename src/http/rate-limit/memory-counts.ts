import type { Counts, CountsOptions, Taken } from './counts.ts';

export type MemoryCountsOptions = CountsOptions & {
  /** Maximum number of clients; the least recently seen are evicted. */
  clientsMax: number;
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
};

/** The times of a client's counted requests, oldest first, in a growing ring buffer. */
type Times = { ring: Float64Array<ArrayBuffer>; start: number; length: number };

const firstCapacity = 8;

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
    const times = known ?? { ring: new Float64Array(firstCapacity), start: 0, length: 0 };
    clients.set(client, times);
    return times;
  }

  function removeIdle(nowMs: number): void {
    for (const [client, times] of clients) {
      if (clients.size < clientsMax && (newestOf(times) ?? -Infinity) >= nowMs - windowMs) return;
      clients.delete(client);
    }
  }

  function take(client: string): Taken {
    const nowMs = now();
    const times = touch(client, nowMs);
    dropBefore(times, nowMs - windowMs);
    const isAllowed = times.length < limit;
    if (isAllowed) append(times, nowMs);
    const oldest = times.ring[times.start] ?? nowMs;
    return { isAllowed, remaining: limit - times.length, resetMs: oldest + windowMs - nowMs, ticket: nowMs };
  }

  return {
    take,
    giveBack(client, ticket) {
      const times = clients.get(client);
      if (times) remove(times, Number(ticket));
    },
    close: async () => {},
  };
}

function dropBefore(times: Times, sinceMs: number): void {
  const { ring } = times;
  while (times.length > 0 && (ring[times.start] ?? sinceMs) < sinceMs) {
    times.start = (times.start + 1) % ring.length;
    times.length -= 1;
  }
}

function append(times: Times, atMs: number): void {
  if (times.length === times.ring.length) grow(times);
  times.ring[(times.start + times.length) % times.ring.length] = atMs;
  times.length += 1;
}

function grow(times: Times): void {
  const { ring, start } = times;
  const larger = new Float64Array(ring.length * 2);
  larger.set(ring.subarray(start));
  larger.set(ring.subarray(0, start), ring.length - start);
  times.ring = larger;
  times.start = 0;
}

/** Searches from the newest entry, which is nearly always the one; later entries move up. */
function remove(times: Times, atMs: number): void {
  const { ring, start } = times;
  const indexOf = (place: number): number => (start + place) % ring.length;
  let place = times.length - 1;
  while (place >= 0 && ring[indexOf(place)] !== atMs) place -= 1;
  if (place < 0) return;
  for (; place < times.length - 1; place += 1) ring[indexOf(place)] = ring[indexOf(place + 1)] ?? atMs;
  times.length -= 1;
}

function newestOf({ ring, start, length }: Times): number | undefined {
  return length === 0 ? undefined : ring[(start + length - 1) % ring.length];
}
