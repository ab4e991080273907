export type ProviderErrorOptions = {
  retryAfterMs?: number | undefined;
  internal?: string | undefined;
  cause?: unknown;
};

/** `message` may be shown to users and never contains a key; `internal` is for the log only. */
export abstract class ProviderError<Code extends string> extends Error {
  readonly code: Code;
  readonly retryable: boolean;
  /** How long the provider asks us to wait. */
  readonly retryAfterMs: number | undefined;
  readonly internal: string | undefined;

  /** `isRetryable` says of each code whether another attempt may succeed. */
  constructor(
    isRetryable: Readonly<Record<Code, boolean>>,
    code: Code,
    message: string,
    options: ProviderErrorOptions = {},
  ) {
    super(message, { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.retryable = isRetryable[code];
    this.retryAfterMs = options.retryAfterMs;
    this.internal = options.internal;
  }
}
