import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { readSessionCookie, sessionCookie } from '../auth/embedded-session.ts';
import { readCredential } from '../auth/sent-credential.ts';
import type { Config } from '../config/config.ts';
import type { Services } from '../deps.ts';
import { EmbeddedAuthInput } from '../domain/embedded/schemas.ts';
import { sessionLifetimeMs } from '../domain/embedded/service.ts';
import { detailsOf } from '../lib/details.ts';
import { AppError } from '../lib/errors.ts';
import { assertStorable } from '../lib/storable.ts';
import { readQuery } from './query.ts';
import { restPrefix } from './endpoints.ts';
import { refuseBody } from './rest.ts';

type EmbeddedOptions = { config: Config; services: Services };

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Sessions inside a CRM frame. Browsers send the cookie with requests from any page in that frame tree, so requests
 * that may change something must come from the service or from the session's portal.
 */
export const embedded = fp(async function embedded(app: FastifyInstance, { config, services }: EmbeddedOptions) {
  app.addHook('onRequest', async (req) => {
    if (readingMethods.has(req.method) || !isByCookie(req)) return;
    // An invalid cookie is rejected where it is used.
    const principal = await req.context.authenticate().catch(() => null);
    if (principal?.kind !== 'embedded' || isFrom(req, config, principal.portalOrigin)) return;
    throw foreignOrigin();
  });

  app.post(`${restPrefix}/embedded/auth`, async (req, reply) => {
    if (req.headers.origin !== undefined && !isFrom(req, config)) throw foreignOrigin();
    readQuery(req, []);
    const { cookie, ...session } = await services.embedded.open(readInput(req.body));
    return reply
      .headers({ 'Set-Cookie': sessionCookie(cookie, sessionLifetimeMs / 1000), 'Cache-Control': 'no-store' })
      .send({ data: session });
  });

  app.delete(`${restPrefix}/embedded/auth`, async (req, reply) => {
    readQuery(req, []);
    refuseBody(req.body);
    const cookie = readSessionCookie(req.headers.cookie);
    if (cookie !== null) await services.embedded.close(cookie);
    return reply.code(204).header('Set-Cookie', sessionCookie('', 0)).send();
  });
});

function isByCookie({ headers }: FastifyRequest): boolean {
  return readCredential(headers)?.kind === 'cookie';
}

/** The origin that the request names: browsers always send it, and no page can forge it. */
function isFrom({ headers, host }: FastifyRequest, { PUBLIC_URL }: Config, portalOrigin?: string): boolean {
  const { origin } = headers;
  if (origin === undefined || !URL.canParse(origin)) return false;
  const isOwn = new URL(origin).host === host || (PUBLIC_URL !== undefined && origin === new URL(PUBLIC_URL).origin);
  return isOwn || origin === portalOrigin;
}

function readInput(body: unknown): EmbeddedAuthInput {
  assertStorable(body);
  const { data, error } = EmbeddedAuthInput.safeParse(body);
  if (data) return data;
  throw new AppError('VALIDATION_ERROR', 'The request is not valid.', { details: detailsOf(error) });
}

function foreignOrigin(): AppError {
  return new AppError('FORBIDDEN', 'This request comes from a page that may not change anything here.');
}
