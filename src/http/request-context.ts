import fp from 'fastify-plugin';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Permission } from '../auth/permissions.ts';
import type { Actor, Identity, Principal } from '../auth/principal.ts';
import { causesOf } from '../db/failures.ts';
import { StaleCredentialError, type Database } from '../db/scope.ts';
import type { Services } from '../deps.ts';
import type { RequestContext } from '../domain/context.ts';
import { AppError } from '../lib/errors.ts';
import type { Context } from '../trpc/init.ts';

declare module 'fastify' {
  interface FastifyRequest {
    context: Context;
  }
}

/** Gives every request the context that procedures and native routes share. */
export const requestContext = fp(async function requestContext(
  app: FastifyInstance,
  { services }: { services: Services },
) {
  app.decorateRequest('context');
  const given = servicesOf(services);
  app.addHook('onRequest', (req, _reply, done) => {
    req.context = contextOf(req, services, given);
    done();
  });
});

type Sender = {
  authenticate(): Promise<Principal>;
  /** The sender as a member, and the epoch to confirm if their credential was cached. */
  admit(permission: Permission): Promise<{ actor: Actor; epoch: string | null }>;
  /** The same from the database, for this request and from now on. */
  admitAnew(permission: Permission): Promise<Actor>;
};

/**
 * Routes check before the body is read, and procedures check again; the credential is looked up once. Reads use a
 * cached credential, and their result counts only once the epoch is confirmed, refusals included.
 */
function senderOf(req: FastifyRequest, auth: Services['auth']): Sender {
  const { headers, method } = req;
  const isReading = method === 'GET' || method === 'HEAD';
  let identity: Promise<Identity> | undefined;
  const identify = () => (identity ??= lookUp(!isReading));
  const identifyAnew = () => (identity = lookUp(true));

  async function lookUp(anew: boolean): Promise<Identity> {
    if (req.admission?.failure) throw req.admission.failure.error;
    try {
      const found = await auth.authenticate(headers, { anew });
      const counted = req.admission?.identified(found.principal);
      if (counted) await counted;
      return found;
    } catch (error) {
      if (error instanceof AppError && error.code === 'UNAUTHORIZED') req.admission?.refused();
      throw error;
    }
  }

  async function admit(permission: Permission): Promise<{ actor: Actor; epoch: string | null }> {
    const { principal, epoch } = await identify();
    try {
      return { actor: auth.authorize(principal, headers, permission), epoch };
    } catch (error) {
      if (epoch === null) throw error;
      return { actor: await admitAnew(permission), epoch: null };
    }
  }

  async function admitAnew(permission: Permission): Promise<Actor> {
    const { principal } = await identifyAnew();
    return auth.authorize(principal, headers, permission);
  }

  async function authenticate(): Promise<Principal> {
    const { principal, epoch } = await identify();
    return epoch === null ? principal : (await identifyAnew()).principal;
  }

  return { authenticate, admit, admitAnew };
}

type Work<T> = (org: RequestContext) => Promise<T>;

function contextOf(req: FastifyRequest, services: Services, given: GivenServices): Context {
  const { authenticate, admit, admitAnew } = senderOf(req, services.auth);
  const { headers } = req;
  const reply: Context['reply'] = { headers: {} };

  async function acting<T>(db: Database, permission: Permission, work: Work<T>): Promise<T> {
    const { actor, epoch } = await admit(permission);
    if (epoch === null) return work({ db, ...given, actor });
    const memory = { epoch, isConfirmed: false };
    const outcome = await settled(work({ db: db.asOf(memory), ...given, actor }));
    if (!memory.isConfirmed) {
      const present = await admitAnew(permission);
      if (outcome.isFailed && isStale(outcome.reason)) return work({ db, ...given, actor: present });
    }
    if (outcome.isFailed) throw outcome.reason;
    return outcome.value;
  }

  const contextOn = (db: Database): Context => ({
    services,
    headers,
    authenticate,
    authorize: async (permission) => (await admit(permission)).actor,
    acting: (permission, work) => acting(db, permission, work),
    on: contextOn,
    reply,
  });
  return contextOn(services.db);
}

type Settled<T> = { isFailed: false; value: T } | { isFailed: true; reason: unknown };

function settled<T>(work: Promise<T>): Promise<Settled<T>> {
  return work.then(
    (value) => ({ isFailed: false, value }),
    (reason: unknown) => ({ isFailed: true, reason }),
  );
}

type GivenServices = ReturnType<typeof servicesOf>;

function servicesOf({ prices, heavyWork, outbound, tickets, secrets, inviteLinks }: Services) {
  return { prices, heavyWork, outbound, tickets, secrets, inviteLinks };
}

function isStale(reason: unknown): boolean {
  return causesOf(reason).some((cause) => cause instanceof StaleCredentialError);
}
