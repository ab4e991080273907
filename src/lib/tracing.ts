import type { OpenSpan, SpanOptions, TracingOptions } from './spans.ts';
import type { TracingSdk } from './tracing-sdk.ts';

let sdk: TracingSdk | undefined;

/** Begins to send traces. What that takes is loaded only now: without it, nothing here costs anything. */
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

/** For what does not fit into one function: `end` is up to the caller. Undefined where nothing is traced. */
export function beginSpan(options: SpanOptions): OpenSpan | undefined {
  return sdk?.begin(options);
}

/** Runs `work` as a span. Of an error it keeps the class alone: messages may hold anything. */
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

/** W3C `traceparent` of the span that is under way, to be kept with what is done about it later. */
export function activeTraceparent(): string | null {
  return sdk?.traceparent() ?? null;
}
