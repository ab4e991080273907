import fp from 'fastify-plugin';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { OpenSpan } from '../lib/spans.ts';
import { beginSpan } from '../lib/tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of this request, if it is traced. */
    span?: OpenSpan;
  }
}

/** Creates a span for each request, within the caller's trace if it sends a `traceparent` (W3C Trace Context). */
export const tracing = fp(async function tracing(app: FastifyInstance) {
  app.addHook('onRequest', (req, _reply, done) => {
    if (req.routeOptions.config?.isAlwaysAnswered) return done();
    req.span = beginSpan(describe(req));
    if (req.span) req.span.run(done);
    else done();
  });
  // Reading the body loses the async context of the request.
  app.addHook('preValidation', (req, _reply, done) => {
    if (req.span) req.span.run(done);
    else done();
  });
  app.addHook('onResponse', ({ span }, { statusCode }, done) => {
    span?.end({ attributes: { 'http.response.status_code': statusCode }, isError: statusCode >= 500 });
    done();
  });
});

function describe({ method, routeOptions, headers, id }: FastifyRequest) {
  const { url: route } = routeOptions;
  const { traceparent } = headers;
  return {
    name: route === undefined ? method : `${method} ${route}`,
    kind: 'server' as const,
    attributes: {
      'http.request.method': method,
      'earshot.request_id': id,
      ...(route !== undefined && { 'http.route': route }),
    },
    ...(typeof traceparent === 'string' && { parent: traceparent }),
  };
}
