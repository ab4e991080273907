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
    req.context = { services, headers: req.headers, ...senderOf(req, services, given), reply: { headers: {} } };
    done();
  });
});

type Sender = Pick<Context, 'authenticate' | 'authorize' | 'acting' | 'on'>;

/**
 * Routes check before the body is read, and procedures check again; the credential is looked up once. Reads use a
 * cached credential, and their result counts only once the epoch is confirmed, refusals included.
 */
function senderOf(req: FastifyRequest, { auth, db: ownDb }: Services, services: GivenServices): Sender {
  const { headers, method } = req;
  const isReading = method === 'GET' || method === 'HEAD';
  let identity: Promise<Identity> | undefined;
  const identify = () => (identity ??= lookUp(!isReading));
  const identifyAnew = () => (identity = lookUp(true));

  async function lookUp(anew: boolean): Promise<Identity> {
    if (req.admission?.failure) throw req.admission.failure.error;
    try {
      const found = await auth.authenticate(headers, { anew });
      await req.admission?.identified(found.principal);
      return found;
    } catch (error) {
      if (error instanceof AppError && error.code === 'UNAUTHORIZED') req.admission?.refused();
      throw error;
    }
  }

  async function authorize(permission: Permission): Promise<Actor> {
    const { principal, epoch } = await identify();
    try {
      return auth.authorize(principal, headers, permission);
    } catch (error) {
      if (epoch === null) throw error;
      await identifyAnew();
      return authorize(permission);
    }
  }

  async function acting<T>(db: Database, permission: Permission, work: Work<T>): Promise<T> {
    const actor = await authorize(permission);
    const { epoch } = await identify();
    if (epoch === null) return work({ db, ...services, actor });
    const memory = { epoch, isConfirmed: false };
    const [outcome] = await Promise.allSettled([work({ db: db.asOf(memory), ...services, actor })]);
    if (!memory.isConfirmed) {
      await identifyAnew();
      const present = await authorize(permission);
      if (outcome.status === 'rejected' && isStale(outcome.reason)) return work({ db, ...services, actor: present });
    }
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }

  async function authenticate(): Promise<Principal> {
    const { principal, epoch } = await identify();
    return epoch === null ? principal : (await identifyAnew()).principal;
  }

  const actingOn = (db: Database) => ({ acting: <T>(needed: Permission, work: Work<T>) => acting(db, needed, work) });
  return { authenticate, authorize, on: (db) => ({ ...req.context, ...actingOn(db) }), ...actingOn(ownDb) };
}

type Work<T> = (org: RequestContext) => Promise<T>;

type GivenServices = ReturnType<typeof servicesOf>;

function servicesOf({ prices, heavyWork, outbound, tickets, secrets, inviteLinks }: Services) {
  return { prices, heavyWork, outbound, tickets, secrets, inviteLinks };
}

function isStale(reason: unknown): boolean {
  return causesOf(reason).some((cause) => cause instanceof StaleCredentialError);
}
