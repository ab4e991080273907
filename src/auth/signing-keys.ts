import type { LocalJWKSet } from 'jose';

export type SigningKeys = {
  /** The latest keys; fetched first if there are none, or none fresh enough. */
  current(): Promise<LocalJWKSet>;
  /** Keys newer than the given ones, for a signature by an unknown key; null if the last fetch is too recent. */
  newer(than: LocalJWKSet): Promise<LocalJWKSet | null>;
};

/** Unknown keys cause at most one fetch in this time, however many tokens name them. */
const unknownKeyCooldownMs = 60_000;
const freshMs = 10 * 60_000;
/** Stale keys are used while newer ones are fetched, up to this age; beyond it, callers wait. */
const usableMs = 60 * 60_000;
/** A provider that is down is not asked more often than this. */
const failureCooldownMs = 5_000;

/** An identity provider's keys: fetched on demand, once for all who wait, and never once per request. */
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
      // While the provider is down, the current keys stay in use and nobody waits.
      const newest = fetchOnce().catch(() => keys);
      return ageMs < usableMs ? keys : newest;
    },
    async newer(than) {
      if (fetching) return fetching;
      if (held && held.keys !== than) return held.keys;
      if (Date.now() - unknownKeyAtMs < unknownKeyCooldownMs) return null;
      unknownKeyAtMs = Date.now();
      return fetchOnce().catch((error: unknown) => {
        // Nothing was learned about the key, so it may be asked for again as soon as the provider may.
        unknownKeyAtMs = Number.NEGATIVE_INFINITY;
        throw error;
      });
    },
  };
}
