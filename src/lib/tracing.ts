import { context, SpanKind, SpanStatusCode, trace, type Context, type Span } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { TracingSdk } from './tracing-sdk.ts';

export type TracingOptions = {
  /** Base address of an OTLP/HTTP receiver, such as http://collector:4318. */
  endpoint: string;
  headers: Record<string, string>;
  serviceName: string;
  serviceVersion: string;
  /** Part of the traces that begin here, 0 to 1. A trace that begins elsewhere has been decided upon there. */
  sampleRatio: number;
};

export type SpanOptions = {
  name: string;
  kind: 'server' | 'client' | 'consumer';
  attributes?: Record<string, string | number>;
  /** The W3C `traceparent` of what this belongs to; without it, whatever is under way. */
  parent?: string | undefined;
};

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };
const propagator = new W3CTraceContextPropagator();
const textMap = {
  get: (carrier: Record<string, string>, key: string) => carrier[key],
  keys: (carrier: Record<string, string>) => Object.keys(carrier),
  set: (carrier: Record<string, string>, key: string, value: string) => void (carrier[key] = value),
};

let sdk: TracingSdk | undefined;

/** Begins to send traces. What it takes is loaded only now: without it, nothing here costs anything. */
export async function startTracing(options: TracingOptions): Promise<{ stop(): Promise<void> }> {
  const { openTracing } = await import('./tracing-sdk.ts');
  const opened = openTracing(options);
  sdk = opened;
  return {
    async stop() {
      sdk = undefined;
      await opened.close();
    },
  };
}

/** Runs `work` as a span, inside of which further ones belong to it. An error is marked by its class alone. */
export async function withSpan<T>(options: SpanOptions, work: () => Promise<T>): Promise<T> {
  const opened = beginSpan(options);
  if (!opened) return work();
  try {
    return await context.with(opened.context, work);
  } catch (error) {
    opened.span.setStatus({ code: SpanStatusCode.ERROR });
    opened.span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
    throw error;
  } finally {
    opened.span.end();
  }
}

export type OpenSpan = { span: Span; context: Context; run<T>(work: () => T): T };

/** For what does not fit into one function; `endSpan` is up to the caller. Undefined where nothing is traced. */
export function beginSpan({ name, kind, attributes = {}, parent }: SpanOptions): OpenSpan | undefined {
  if (!sdk) return undefined;
  const from =
    parent === undefined ? context.active() : propagator.extract(context.active(), { traceparent: parent }, textMap);
  const span = sdk.tracer.startSpan(name, { kind: kinds[kind], attributes }, from);
  const within = trace.setSpan(from, span);
  return { span, context: within, run: (work) => context.with(within, work) };
}

export function endSpan(
  { span }: OpenSpan,
  { attributes, isError }: { attributes: Record<string, string | number>; isError: boolean },
): void {
  span.setAttributes(attributes);
  if (isError) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** W3C `traceparent` of the span that is under way, to be kept with what is done about it later. */
export function activeTraceparent(): string | null {
  if (!sdk) return null;
  const carrier: Record<string, string> = {};
  propagator.inject(context.active(), carrier, textMap);
  return carrier['traceparent'] ?? null;
}
