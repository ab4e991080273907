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
