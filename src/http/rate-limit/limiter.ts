import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../auth/principal.ts';
import { isWellFormed, readCredential, type SentCredential } from '../../auth/sent-credential.ts';
import { AppError } from '../../lib/errors.ts';
import { clientOfAddress, clientOfUser, digestOf } from './client.ts';
import type { Counts, Taken } from './counts.ts';
import { createLookUp, type Failure, type LookUp, type Senders } from './look-up.ts';

export type Admission = {
  /** Counts the request for its sender instead of its address. Throws RATE_LIMITED. */
  identified(principal: Principal): Promise<void> | undefined;
  /** The credential has become invalid: from now on, its requests count for their address. */
  refused(): void;
  /** The lookup of the sender failed. Requests that need the sender fail likewise; others are answered. */
  failure?: Failure | undefined;
};

export type RateLimit = {
  /** Counts a request and sets the rate limit headers, at once where that needs no look-up. Throws RATE_LIMITED. */
  admit(req: FastifyRequest, reply: FastifyReply): Promise<void> | undefined;
  close(): Promise<void>;
};

type LimiterOptions = { counts: Counts; limit: number; windowMs: number; senders: Senders };

/**
 * A request counts for its API token, else its user, else its address. Only authenticated credentials count, in any
 * spelling, so inventing credentials does not evade the limit, and anonymous requests use up nobody else's.
 */
export function limitBy({ counts, limit, windowMs, senders }: LimiterOptions): RateLimit {
  const lookUp = createLookUp({ counts, senders, windowMs });
  const till = createTill(counts, limit);

  async function takeUnseen(sent: SentCredential, { req, reply, digest }: Unseen): Promise<Admission> {
    const address = clientOfAddress(req.ip);
    const { client, byAddress, failure } = lookUp.isRefused(digest)
      ? { client: null, byAddress: null, failure: undefined }
      : await lookUp.find({ sent, digest, address, headers: req.headers });
    if (byAddress) till.tell(byAddress, reply);
    const taken = byAddress ?? (await till.take(client ?? address, reply));
    if (client !== null) return knownAdmission(lookUp, digest);
    const giveBack = () => counts.giveBack(address, taken.ticket);
    return { ...correctedAdmission(lookUp, { digest, giveBack, reply, till }), failure };
  }

  function admit(req: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
    const { config, url } = req.routeOptions;
    if (config?.counted === 'apart') return till.count(`${url}:${clientOfAddress(req.ip)}`, reply);
    if (config?.isTicketed) {
      const ticket = senders.readTicket((req.params as { ticket: string }).ticket);
      return till.count(ticket ? clientOfUser(ticket.userId) : clientOfAddress(req.ip), reply);
    }
    const sent = readCredential(req.headers);
    if (!sent) return till.count(clientOfAddress(req.ip), reply);
    const digest = digestOf(sent);
    const client = lookUp.recall(digest);
    if (client !== undefined) {
      req.admission = knownAdmission(lookUp, digest);
      return till.count(client, reply);
    }
    return isWellFormed(sent) ? admitUnseen(sent, { req, reply, digest }) : till.count(clientOfAddress(req.ip), reply);
  }

  async function admitUnseen(sent: SentCredential, unseen: Unseen): Promise<void> {
    unseen.req.admission = await takeUnseen(sent, unseen);
  }

  return { admit, close: () => counts.close() };
}

type Unseen = { req: FastifyRequest; reply: FastifyReply; digest: string };

type Till = {
  /** Sets the headers that say how many requests are left. Throws RATE_LIMITED. */
  tell(taken: Taken, reply: FastifyReply): void;
  /** Counts a request and sets the headers. Throws RATE_LIMITED. */
  take(client: string, reply: FastifyReply): Promise<Taken>;
  /** The same at once, where the counts are in memory. */
  count(client: string, reply: FastifyReply): Promise<void> | undefined;
};

function createTill(counts: Counts, limit: number): Till {
  function tell({ isAllowed, remaining, resetMs }: Taken, reply: FastifyReply): void {
    const resetSeconds = Math.floor(resetMs / 1000) + 1;
    reply.headers({ 'RateLimit-Limit': limit, 'RateLimit-Remaining': remaining, 'RateLimit-Reset': resetSeconds });
    if (!isAllowed) throw tooMany(resetSeconds);
  }
  return {
    tell,
    async take(client, reply) {
      const taken = await counts.take(client);
      tell(taken, reply);
      return taken;
    },
    count(client, reply) {
      const taken = counts.take(client);
      if (taken instanceof Promise) return taken.then((later) => tell(later, reply));
      tell(taken, reply);
      return undefined;
    },
  };
}

function knownAdmission(lookUp: LookUp, digest: string): Admission {
  return { identified: () => undefined, refused: () => lookUp.forget(digest) };
}

type Correction = { digest: string; giveBack: () => void | Promise<void>; reply: FastifyReply; till: Till };

/**
 * For a request that was counted for its address: if the credential turns out to be valid, the address gets the request
 * back.
 */
function correctedAdmission(lookUp: LookUp, { digest, giveBack, reply, till }: Correction): Admission {
  let isCorrected = false;
  return {
    async identified(principal) {
      if (isCorrected) return;
      isCorrected = true;
      const client = lookUp.remember(digest, principal);
      await giveBack();
      await till.take(client, reply);
    },
    refused() {},
  };
}

function tooMany(retryAfterSeconds: number): AppError {
  return new AppError('RATE_LIMITED', 'Too many requests. Try again later.', {
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
}
