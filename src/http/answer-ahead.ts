import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PiecedBody } from './pieced-body.ts';

/** The JSON of the answer; undefined leaves the request to the route. */
type Answer = string | PiecedBody | undefined;

/**
 * Answers some requests in place of their route. The hook never calls back where it answers: Fastify takes the end of a
 * hook's promise for leave to go on, and a client that has gone away ends it while the answer is still being coded.
 */
export function answerAhead<Params, Querystring>(
  app: FastifyInstance,
  answerOf: (req: FastifyRequest<{ Params: Params; Querystring: Querystring }>) => Promise<Answer>,
): void {
  app.addHook<{ Params: Params; Querystring: Querystring }>('preHandler', (req, reply, done) => {
    const send = (answer: Answer) => (answer === undefined ? done() : reply.type('application/json').send(answer));
    answerOf(req).then(send, done);
  });
}
