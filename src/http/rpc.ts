import { fastifyTRPCPlugin, type FastifyTRPCPluginOptions } from '@trpc/server/adapters/fastify';
import type { FastifyInstance } from 'fastify';
import { appRouter, type AppRouter } from '../router.ts';
import { toPublicError } from '../trpc/init.ts';

/** Typed RPC for the dashboard, with the same procedures, errors and request ids as the REST surface. */
export async function rpc(app: FastifyInstance): Promise<void> {
  const options: FastifyTRPCPluginOptions<AppRouter> = {
    prefix: '/api/trpc',
    trpcOptions: {
      router: appRouter,
      createContext: ({ req }) => req.context,
      onError({ error, req, path }) {
        if (toPublicError(error).status >= 500) req.log.error({ err: error, path }, 'procedure failed');
      },
      responseMeta({ errors }) {
        const [error] = errors;
        return { headers: { ...(error && toPublicError(error).headers) } };
      },
    },
  };
  await app.register(fastifyTRPCPlugin, options);
}
