type ProviderErrorOptions = {
  /** How long the provider asks us to wait. */
  retryAfterMs?: number | undefined;
  /** For the log only. */
  internal?: string | undefined;
  cause?: unknown;
};

/**
 * The errors of a provider. `isRetryable` says of each code whether another attempt may succeed. A `message` may be
 * shown to users and never contains a key.
 */
export function providerError<const Codes extends Readonly<Record<string, boolean>>>(isRetryable: Codes) {
  return class ProviderError extends Error {
    readonly code: keyof Codes & string;
    readonly retryable: boolean;
    readonly retryAfterMs: number | undefined;
    readonly internal: string | undefined;

    constructor(code: keyof Codes & string, message: string, options: ProviderErrorOptions = {}) {
      super(message, { cause: options.cause });
      this.name = new.target.name;
      this.code = code;
      this.retryable = isRetryable[code] === true;
      this.retryAfterMs = options.retryAfterMs;
      this.internal = options.internal;
    }
  };
}
