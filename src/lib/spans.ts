export type TracingOptions = {
  /** Base address of an OTLP/HTTP receiver, such as http://collector:4318. */
  endpoint: string;
  headers: Record<string, string>;
  serviceName: string;
  serviceVersion: string;
  /** Share of the traces that start here to keep, 0 to 1. Traces that start elsewhere were decided there. */
  sampleRatio: number;
  /** How long spans are batched before export. */
  exportEveryMs?: number;
  /**
   * Called when the receiver stops accepting spans, with the reason, and when it accepts them again. Spans in between
   * are lost.
   */
  onReceiver: (state: { isTaking: true } | { isTaking: false; error: Error }) => void;
};

export type SpanAttributes = Record<string, string | number>;

export type SpanOptions = {
  name: string;
  kind: 'server' | 'client' | 'consumer';
  attributes?: SpanAttributes;
  /** The W3C `traceparent` of the parent; by default, the active span. */
  parent?: string | undefined;
};

/** An open span. Whatever `run` calls belongs to it. */
export type OpenSpan = {
  run<T>(work: () => T): T;
  end(outcome?: { attributes?: SpanAttributes; isError?: boolean }): void;
};
