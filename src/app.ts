import fastify, { LogController, type FastifyInstance } from 'fastify';
import type { Config } from './config/config.ts';
import type { Deps } from './deps.ts';
import { audio } from './http/audio.ts';
import { jsonBody } from './http/body.ts';
import { bitrix24Events } from './http/bitrix24-events.ts';
import { caching } from './http/caching.ts';
import { compression } from './http/compression.ts';
import { embedded } from './http/embedded.ts';
import { answerBrokenRequest, answerUnroutable, errors } from './http/errors.ts';
import { forwarded } from './http/forwarded.ts';
import { health } from './http/health.ts';
import { inngest } from './http/inngest.ts';
import { mcp } from './http/mcp/plugin.ts';
import { media } from './http/media.ts';
import { metrics } from './http/metrics.ts';
import { openApi } from './http/openapi/route.ts';
import { pages } from './http/pages.ts';
import type { RateLimit } from './http/rate-limit/limiter.ts';
import { createRateLimit, rateLimit } from './http/rate-limit/plugin.ts';
import { pressure } from './http/pressure.ts';
import { requestContext } from './http/request-context.ts';
import { requestId, requestIdOf } from './http/request-id.ts';
import { createSetHeaders, responseHeaders, type SetHeaders } from './http/response-headers.ts';
import { rest } from './http/rest.ts';
import { rpc } from './http/rpc.ts';
import { tracing } from './http/tracing.ts';
import { transcript } from './http/transcript.ts';
import { upload } from './http/upload.ts';
import { countRequest } from './lib/metrics.ts';
import { version } from './lib/version.ts';
import { appRouter } from './api/router.ts';

const bodySizeBytesMax = 1024 * 1024;
/** As much as the headers may hold, since a batch of RPC calls is one parameter. */
const parameterLengthMax = 16 * 1024;

/** Longer than the longest upload; readers of slow bodies time out earlier. */
const requestTimeoutMs = 60 * 60_000;
const headersTimeoutMs = 20_000;

type AppDeps = Pick<Deps, 'config' | 'log' | 'services'> &
  Partial<Pick<Deps, 'lifecycle'>> & { redisTimeoutMs?: number | undefined };

/** Builds the app that the server and the tests share: every plugin of the process's role, not listening yet. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { config, log, services, lifecycle = { isStopping: false } } = deps;
  const limit = await createRateLimit({ settings: config, log, services, redisTimeoutMs: deps.redisTimeoutMs });
  const setHeaders = createSetHeaders(config);
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    requestIdHeader: false,
    genReqId: requestIdOf,
    bodyLimit: bodySizeBytesMax,
    routerOptions: { maxParamLength: parameterLengthMax },
    forceCloseConnections: 'idle',
    requestTimeout: requestTimeoutMs,
    // A request that arrives during shutdown is answered normally, not refused without our envelope.
    return503OnClosing: false,
    trustProxy: config.TRUSTED_PROXIES.length > 0 ? config.TRUSTED_PROXIES : false,
    frameworkErrors: (error, req, reply) => void answerUnroutable(error, { req, reply, limit, setHeaders }),
    clientErrorHandler: answerBrokenRequest,
  }) as unknown as FastifyInstance;
  app.server.headersTimeout = headersTimeoutMs;
  await registerConventions(app, { config, limit, setHeaders });
  if (config.ROLE !== 'worker') await registerSurfaces(app, { config, services });
  await app.register(health, { services, version, role: config.ROLE, lifecycle });
  await app.register(metrics, { config, services });
  await app.register(inngest, { pipeline: services.pipeline });
  return app;
}

type Conventions = { config: Config; limit: RateLimit | null; setHeaders: SetHeaders };

/** Hooks for every request, whatever the role. They run in this order. */
async function registerConventions(app: FastifyInstance, { config, limit, setHeaders }: Conventions): Promise<void> {
  await app.register(responseHeaders, { setHeaders });
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT) await app.register(tracing);
  await app.register(forwarded, { config });
  if (limit) await app.register(rateLimit, { limit });
  await app.register(pressure);
  await app.register(errors);
  await app.register(requestId);
  app.addHook('onResponse', (req, { statusCode: status, elapsedTime }, done) => {
    const { method, routeOptions } = req;
    req.log.info({ method, route: routeOptions.url, status, durationMs: Math.round(elapsedTime) }, 'request');
    countRequest({ method, route: routeOptions.url, status, seconds: elapsedTime / 1000 });
    done();
  });
}

async function registerSurfaces(
  app: FastifyInstance,
  { config, services }: Pick<Deps, 'config' | 'services'>,
): Promise<void> {
  await app.register(requestContext, { services });
  await app.register(jsonBody);
  await app.register(caching);
  await app.register(compression);
  await app.register(embedded, { config, services });
  await app.register(bitrix24Events, { services });
  await app.register(rest, { router: appRouter });
  await app.register(upload, { services });
  await app.register(audio, { services });
  await app.register(media, { services });
  await app.register(transcript);
  await app.register(rpc);
  await app.register(mcp, { config, services, router: appRouter });
  await app.register(openApi, { version });
  await app.register(pages, { config, services, version });
}
