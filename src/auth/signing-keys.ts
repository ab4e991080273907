import type { LocalJWKSet } from 'jose';

export type SigningKeys = {
  /** The keys as they were fetched last; fetched now when there are none, or none that are young enough. */
  current(): Promise<LocalJWKSet>;
  /** Keys that are newer than the given ones, for a signature by a key that is not among them; null when it is too soon. */
  newer(than: LocalJWKSet): Promise<LocalJWKSet | null>;
};

/** Unknown keys cause one fetch in this time, however many tokens name them. */
const unknownKeyCooldownMs = 60_000;
const freshMs = 10 * 60_000;
/** Older than fresh, keys are used while newer ones are fetched; older than this, they have to wait for them. */
const usableMs = 60 * 60_000;
/** A provider that is down is not asked more often than this. */
const failureCooldownMs = 5_000;

/** Keys of an identity provider: fetched when they are needed, once for all who wait for them, and never at the pace of requests. */
export function createSigningKeys({ fetchKeys }: { fetchKeys: () => Promise<LocalJWKSet> }): SigningKeys {
  let held: { keys: LocalJWKSet; fetchedAtMs: number } | undefined;
  let failure: { error: unknown; atMs: number } | undefined;
  let fetching: Promise<LocalJWKSet> | undefined;
  let unknownKeyAtMs = Number.NEGATIVE_INFINITY;

  async function fetchNow(): Promise<LocalJWKSet> {
    if (failure && Date.now() - failure.atMs < failureCooldownMs) throw failure.error;
    try {
      const keys = await fetchKeys();
      held = { keys, fetchedAtMs: Date.now() };
      failure = undefined;
      return keys;
    } catch (error) {
      failure = { error, atMs: Date.now() };
      throw error;
    }
  }

  function fetchOnce(): Promise<LocalJWKSet> {
    return (fetching ??= fetchNow().finally(() => (fetching = undefined)));
  }

  return {
    async current() {
      if (!held) return fetchOnce();
      const { keys, fetchedAtMs } = held;
      const ageMs = Date.now() - fetchedAtMs;
      if (ageMs < freshMs) return keys;
      // Keys that are still there do their service while the provider is away, and nobody waits for it.
      const newest = fetchOnce().catch(() => keys);
      return ageMs < usableMs ? keys : newest;
    },
    async newer(than) {
      if (fetching) return fetching;
      if (held && held.keys !== than) return held.keys;
      if (Date.now() - unknownKeyAtMs < unknownKeyCooldownMs) return null;
      unknownKeyAtMs = Date.now();
      return fetchOnce().catch((error: unknown) => {
        // Nothing was learned about the key: it may be asked for again as soon as the provider may be.
        unknownKeyAtMs = Number.NEGATIVE_INFINITY;
        throw error;
      });
    },
  };
}
