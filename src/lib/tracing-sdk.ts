import { context, SpanKind, SpanStatusCode, trace, type Span, type Tracer } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import type { OpenSpan, SpanOptions, TracingOptions } from './spans.ts';

export type TracingSdk = {
  begin(options: SpanOptions): OpenSpan;
  traceparent(): string | undefined;
  close(): Promise<void>;
};

const exportEveryMs = 5_000;
const exportTimeoutMs = 5_000;
const closeTimeoutMs = 2_000;

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };
const propagator = new W3CTraceContextPropagator();
const textMap = {
  get: (carrier: Record<string, string>, key: string) => carrier[key],
  keys: (carrier: Record<string, string>) => Object.keys(carrier),
  set: (carrier: Record<string, string>, key: string, value: string) => void (carrier[key] = value),
};

/**
 * Traces our own spans only: the provider is not registered globally, so libraries add none. If you want theirs, start
 * the service with `node --import` of an instrumentation.
 */
export function openTracing(options: TracingOptions): TracingSdk {
  const provider = createProvider(options);
  const tracer = provider.getTracer(options.serviceName, options.serviceVersion);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  return {
    begin: (span) => begin(tracer, span),
    traceparent() {
      const carrier: Record<string, string> = {};
      propagator.inject(context.active(), carrier, textMap);
      return carrier['traceparent'];
    },
    async close() {
      // A receiver that does not answer must not delay the shutdown.
      await Promise.race([
        provider.shutdown().catch(() => {}),
        new Promise((resolve) => void setTimeout(resolve, closeTimeoutMs).unref()),
      ]);
      context.disable();
    },
  };
}

function createProvider({ endpoint, headers, ...options }: TracingOptions): BasicTracerProvider {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers,
    timeoutMillis: exportTimeoutMs,
  });
  return new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': options.serviceName,
      'service.version': options.serviceVersion,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.sampleRatio) }),
    spanProcessors: [
      new BatchSpanProcessor(reportingOutages(exporter, options.onReceiver), {
        scheduledDelayMillis: options.exportEveryMs ?? exportEveryMs,
      }),
    ],
  });
}

/** Wraps the exporter to report when its receiver goes away and comes back, which the library does not. */
function reportingOutages(exporter: SpanExporter, onReceiver: TracingOptions['onReceiver']): SpanExporter {
  let isTaking = true;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const { code, error = new Error('The receiver gives no reason.') } = result;
        const takes = code === ExportResultCode.SUCCESS;
        if (takes !== isTaking) onReceiver(takes ? { isTaking: true } : { isTaking: false, error });
        isTaking = takes;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

function begin(tracer: Tracer, { name, kind, attributes = {}, parent }: SpanOptions): OpenSpan {
  const active = context.active();
  const from = parent === undefined ? active : propagator.extract(active, { traceparent: parent }, textMap);
  const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, from);
  const within = trace.setSpan(from, span);
  return { run: (work) => context.with(within, work), end: (outcome) => end(span, outcome) };
}

function end(span: Span, { attributes = {}, isError = false }: Parameters<OpenSpan['end']>[0] = {}): void {
  span.setAttributes(attributes);
  if (isError) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
