import { monitorEventLoopDelay } from 'node:perf_hooks';
import fp from 'fastify-plugin';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../lib/errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered even while the process is overloaded. */
    isAlwaysAnswered?: boolean;
  }
}

export type PressureOptions = { delayMsMax?: number; intervalMs?: number; intervalsMin?: number };

const resolutionMs = 20;
const retryAfterSeconds = '5';

/**
 * While the event loop is overloaded, new requests get 503 at once: running ones finish sooner, and load balancers send
 * new ones elsewhere. One long task is not enough; several late intervals in a row are.
 */
export const pressure = fp(async function pressure(
  app: FastifyInstance,
  { delayMsMax = 1_000, intervalMs = 1_000, intervalsMin = 3 }: PressureOptions,
) {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  let lateIntervals = 0;
  const timer = setInterval(() => {
    // No measurement means that the loop has not turned even once.
    const isLate = delay.count === 0 || delay.mean / 1e6 > delayMsMax;
    lateIntervals = isLate ? lateIntervals + 1 : 0;
    delay.reset();
  }, intervalMs).unref();

  app.addHook('onRequest', (req, _reply, done) => {
    if (lateIntervals < intervalsMin || req.routeOptions.config?.isAlwaysAnswered) {
      done();
      return;
    }
    throw new AppError('SERVICE_UNAVAILABLE', 'The service is overloaded. Try again shortly.', {
      headers: { 'Retry-After': retryAfterSeconds },
    });
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    delay.disable();
  });
});
