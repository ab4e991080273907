import type { OpenSpan, SpanOptions, TracingOptions } from './spans.ts';
import type { TracingSdk } from './tracing-sdk.ts';

let sdk: TracingSdk | undefined;

/** Starts sending traces. The SDK is only loaded here, so without tracing it costs nothing. */
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

/** For spans that outlive one function: the caller calls `end`. Undefined if tracing is off. */
export function beginSpan(options: SpanOptions): OpenSpan | undefined {
  return sdk?.begin(options);
}

/** Runs `work` in a span. Records only the class of an error, since messages may hold anything. */
export async function withSpan<T>(options: SpanOptions, work: () => Promise<T>): Promise<T> {
  const span = sdk?.begin(options);
  if (!span) return work();
  try {
    const result = await span.run(work);
    span.end();
    return result;
  } catch (error) {
    const type = error instanceof Error ? error.name : 'unknown';
    span.end({ attributes: { 'error.type': type }, isError: true });
    throw error;
  }
}

/** W3C `traceparent` of the active span, to be stored with work that is done later. */
export function activeTraceparent(): string | null {
  return sdk?.traceparent() ?? null;
}
