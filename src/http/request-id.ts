import fp from 'fastify-plugin';
import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { newRequestId } from '../lib/ids.ts';

const shape = /^[A-Za-z0-9._-]{1,128}$/;

/** A valid incoming `X-Request-Id` is kept, so that a caller can follow its request through our logs. */
export function requestIdOf(req: Pick<IncomingMessage, 'headers'>): string {
  const given = req.headers['x-request-id'];
  return typeof given === 'string' && shape.test(given) ? given : newRequestId();
}

/** Sets the header on every response. */
export const requestId = fp(async function requestId(app: FastifyInstance) {
  app.addHook('onRequest', (req, reply, done) => {
    reply.header('X-Request-Id', req.id);
    done();
  });
});
