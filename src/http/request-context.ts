import fp from 'fastify-plugin';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Permission } from '../auth/permissions.ts';
import type { Actor } from '../auth/principal.ts';
import type { Services } from '../deps.ts';
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
  app.addHook('onRequest', async (req) => {
    req.context = { services, authorize: authorizeOnce(req, services), reply: { headers: {} } };
  });
});

/** Routes check before the body is read and procedures check again; the credential is looked up once. */
function authorizeOnce(req: FastifyRequest, { auth }: Services): (permission: Permission) => Promise<Actor> {
  const known = new Map<Permission, Promise<Actor>>();
  return (permission) => {
    const actor = known.get(permission) ?? auth.authorize(req.headers, permission);
    known.set(permission, actor);
    return actor;
  };
}
