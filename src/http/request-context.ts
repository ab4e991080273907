import fp from 'fastify-plugin';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Principal } from '../auth/principal.ts';
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
    req.context = { services, headers: req.headers, ...credentialOf(req, services), reply: { headers: {} } };
  });
});

/** Routes check before the body is read and procedures check again; the credential is looked up once. */
function credentialOf({ headers }: FastifyRequest, { auth }: Services): Pick<Context, 'authenticate' | 'authorize'> {
  let principal: Promise<Principal> | undefined;
  const authenticate = (): Promise<Principal> => (principal ??= auth.authenticate(headers));
  return {
    authenticate,
    authorize: async (permission) => auth.authorize(await authenticate(), headers, permission),
  };
}
