import type { Principal } from '../../auth/principal.ts';
import type { RollCall } from '../../auth/roll-call.ts';
import type { SentCredential } from '../../auth/sent-credential.ts';
import { clientOf } from './client.ts';
import type { Counts, Taken } from './counts.ts';
import { createMemory } from '../../lib/memory.ts';

type Headers = Record<string, string | string[] | undefined>;

/** Identifies senders. Each function throws or rejects if it cannot tell now. */
export type Senders = {
  /** Null for an invalid credential. */
  identify(headers: Headers): Promise<Principal | null>;
  exists: RollCall;
  /** The owner of a ticket in an address. Needs no database lookup. */
  readTicket(text: string): { userId: string } | null;
};

type Unseen = { sent: SentCredential; digest: string; address: string; headers: Headers };

/**
 * `client` is null if the credential is invalid, or if that cannot be found out now, as `failure` says. `byAddress`:
 * the request has already been counted for its address.
 */
type LookedUp = { client: string | null; byAddress: Taken | null; failure?: Failure };

/** Why the sender cannot be identified now. Trying again would take as long and fail too. */
export type Failure = { error: unknown };

export type LookUp = {
  /** The client of a credential that was valid when last used. */
  recall(digest: string): string | undefined;
  remember(digest: string, principal: Principal): string;
  forget(digest: string): void;
  /** Whether the credential was found invalid within the last minute. */
  isRefused(digest: string): boolean;
  /** Looks up a credential that has not been seen yet. */
  find(unseen: Unseen): Promise<LookedUp>;
};

const rememberedMax = 20_000;

type LookUpOptions = { counts: Counts; senders: Senders; windowMs: number };

/**
 * A valid credential counts for its client from its first request, and costs its address nothing. An invalid one counts
 * for the address. If an address has used up its requests, its credentials are looked up in batches with those of
 * others, so a flood of invented ones neither overloads the database nor locks out valid ones.
 */
export function createLookUp({ counts, senders, windowMs }: LookUpOptions): LookUp {
  const clients = createMemory<string>(rememberedMax);
  const refusals = createMemory<number>(rememberedMax);
  const flights = new Map<string, Promise<LookedUp>>();

  function remember(digest: string, principal: Principal): string {
    const client = clientOf(principal);
    clients.remember(digest, client);
    refusals.forget(digest);
    return client;
  }

  async function fly({ sent, digest, address, headers }: Unseen): Promise<LookedUp> {
    const byAddress = await counts.take(address);
    try {
      const isWorthIt = byAddress.isAllowed || (await senders.exists(sent));
      const principal = isWorthIt ? await senders.identify(headers) : null;
      if (principal) {
        if (byAddress.isAllowed) await counts.giveBack(address, byAddress.ticket);
        return { client: remember(digest, principal), byAddress: null };
      }
      refusals.remember(digest, performance.now());
      return { client: null, byAddress };
    } catch (error) {
      return { client: null, byAddress, failure: { error } };
    }
  }

  return {
    recall: clients.recall,
    forget: clients.forget,
    remember,
    isRefused: (digest) => performance.now() - (refusals.recall(digest) ?? -Infinity) < windowMs,
    async find(unseen) {
      const { digest } = unseen;
      const flight = flights.get(digest);
      if (flight) return { ...(await flight), byAddress: null };
      const mine = fly(unseen).finally(() => flights.delete(digest));
      flights.set(digest, mine);
      return mine;
    },
  };
}
