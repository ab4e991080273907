import { context, type Tracer } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import type { TracingOptions } from './tracing.ts';

export type TracingSdk = { tracer: Tracer; close(): Promise<void> };

const exportTimeoutMs = 5_000;
const closeTimeoutMs = 2_000;

/**
 * Our spans alone: the provider is not made the process's own, so that libraries do not add theirs. Whoever wants those
 * starts the service with `node --import` of an instrumentation.
 */
export function openTracing({
  endpoint,
  headers,
  serviceName,
  serviceVersion,
  sampleRatio,
}: TracingOptions): TracingSdk {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers,
    timeoutMillis: exportTimeoutMs,
  });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': serviceVersion }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const manager = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(manager);
  return {
    tracer: provider.getTracer('earshot', serviceVersion),
    async close() {
      // A receiver that is away must not hold up the end of the service.
      await Promise.race([
        provider.shutdown().catch(() => {}),
        new Promise((resolve) => void setTimeout(resolve, closeTimeoutMs).unref()),
      ]);
      context.disable();
    },
  };
}
