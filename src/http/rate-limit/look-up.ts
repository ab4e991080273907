import type { Principal } from '../../auth/principal.ts';
import type { RollCall } from '../../auth/roll-call.ts';
import type { SentCredential } from '../../auth/sent-credential.ts';
import { clientOf } from './client.ts';
import type { Counts, Taken } from './counts.ts';
import { createMemory } from './memory.ts';

type Headers = Record<string, string | string[] | undefined>;

/** Tells who sends a request. Each throws, or rejects, where that cannot be found out now. */
export type Senders = {
  /** Null for a credential that is not good. */
  identify(headers: Headers): Promise<Principal | null>;
  exists: RollCall;
  /** Whose ticket it is that stands in an address. Takes no look into the database. */
  readTicket(text: string): { userId: string } | null;
};

type Unseen = { sent: SentCredential; digest: string; address: string; headers: Headers };

/**
 * `client` is null where the credential is not good, or where that cannot be found out now, as `failure` says.
 * `byAddress`: the request has been counted for its address already.
 */
type LookedUp = { client: string | null; byAddress: Taken | null; failure?: Failure };

/** Why it cannot be found out now who sends a request. Asking again would take as long, and fail as well. */
export type Failure = { error: unknown };

export type LookUp = {
  /** The client that a credential stands for which was good when it was used last. */
  recall(digest: string): string | undefined;
  remember(digest: string, principal: Principal): string;
  forget(digest: string): void;
  /** Whether it was found to be good for nothing within the last minute. */
  isRefused(digest: string): boolean;
  /** Who sends a credential that nobody has seen here yet. */
  find(unseen: Unseen): Promise<LookedUp>;
};

const rememberedMax = 20_000;

type LookUpOptions = { counts: Counts; senders: Senders; windowMs: number };

/**
 * A good credential counts for its client from the first request on, and costs its address nothing. A bad one counts for
 * the address. Of an address that has used up its requests, credentials are asked for together with those of all others
 * before anybody looks closer: a flood of invented ones neither keeps the database busy nor good ones out.
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
