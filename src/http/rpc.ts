import { fastifyTRPCPlugin, type FastifyTRPCPluginOptions } from '@trpc/server/adapters/fastify';
import { getErrorShape, transformTRPCResponse } from '@trpc/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, appErrorOf } from '../lib/errors.ts';
import { appRouter, type AppRouter } from '../api/router.ts';
import { t, toPublicError, toTrpcError } from '../trpc/init.ts';
import { publicErrorOf } from './errors.ts';
import { answerConditionalOnes } from './rpc-preconditions.ts';
import { answerLongOnes } from './rpc-long-answers.ts';

const prefix = '/api/trpc';
const methods = new Set(['GET', 'POST']);
/** A batch counts as one request and is serialized at once. The dashboard sends no larger ones. */
const batchSizeMax = 16;

/** Typed RPC for the dashboard, with the same procedures, errors and request ids as the REST surface. */
export async function rpc(app: FastifyInstance): Promise<void> {
  const options: FastifyTRPCPluginOptions<AppRouter> = {
    prefix,
    trpcOptions: {
      router: appRouter,
      maxBatchSize: batchSizeMax,
      createContext: ({ req }) => req.context,
      onError({ error, req, path }) {
        if (toPublicError(error).status >= 500) req.log.error({ err: error, path }, 'procedure failed');
      },
      responseMeta({ errors }) {
        const [error] = errors;
        return { headers: { 'Content-Type': 'application/json', ...(error && toPublicError(error).headers) } };
      },
    },
  };
  app.setErrorHandler(sendRpcError);
  app.addHook('onRequest', async (req) => {
    if (!methods.has(req.method)) {
      const headers = { Allow: [...methods].join(', ') };
      throw new AppError('METHOD_NOT_ALLOWED', 'RPC answers GET and POST.', { headers });
    }
    // Before the body is read, as over REST: every procedure needs at least a credential.
    await req.context.authenticate();
    if (req.method === 'POST' && !isJson(req.headers['content-type'])) {
      throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.');
    }
  });
  answerLongOnes(app);
  answerConditionalOnes(app);
  await app.register(fastifyTRPCPlugin, options);
}

/** Sends errors that occur before tRPC in the format of tRPC. */
function sendRpcError(thrown: unknown, req: FastifyRequest, reply: FastifyReply): void {
  const error = publicErrorOf(thrown);
  if (error.status >= 500) req.log.error({ err: thrown }, 'request failed');
  const config = t._config;
  const shape = getErrorShape({
    config,
    error: toTrpcError(appErrorOf(error)),
    type: 'unknown',
    path: (req.params as { path?: string }).path,
    input: undefined,
    ctx: req.context,
  });
  reply
    .code(error.status)
    .headers(error.headers ?? {})
    .type('application/json')
    .send(JSON.stringify(transformTRPCResponse(config, { error: shape })));
}

function isJson(contentType: string | undefined): boolean {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json';
}
