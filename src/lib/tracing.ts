import type { TracingSdk } from './tracing-sdk.ts';

export type TracingOptions = {
  /** Base address of an OTLP/HTTP receiver, such as http://collector:4318. */
  endpoint: string;
  headers: Record<string, string>;
  serviceName: string;
  serviceVersion: string;
  /** Part of the traces that begin here, 0 to 1. A trace that begins elsewhere has been decided upon there. */
  sampleRatio: number;
  /** How long spans are collected before they are handed over. */
  exportEveryMs?: number;
  /** Told when the receiver stops taking spans, with the reason, and when it takes them again. Those between are lost. */
  onReceiver: (state: { isTaking: true } | { isTaking: false; error: Error }) => void;
};

export type SpanAttributes = Record<string, string | number>;

export type SpanOptions = {
  name: string;
  kind: 'server' | 'client' | 'consumer';
  attributes?: SpanAttributes;
  /** The W3C `traceparent` of what this belongs to; without it, whatever is under way. */
  parent?: string | undefined;
};

/** A span under way. What `run` calls, and all that follows from it, belongs to it. */
export type OpenSpan = {
  run<T>(work: () => T): T;
  end(outcome?: { attributes?: SpanAttributes; isError?: boolean }): void;
};

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
