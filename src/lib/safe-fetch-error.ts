export type SafeFetchFailure =
  | 'invalid_url'
  | 'blocked_address'
  | 'redirect'
  | 'http_status'
  | 'too_large'
  | 'timeout'
  | 'network'
  | 'aborted';

type SafeFetchErrorOptions = { cause?: unknown; status?: number; retryAfterMs?: number };

/** Why an outbound request failed, and whether it is worth another attempt. */
export class SafeFetchError extends Error {
  readonly failure: SafeFetchFailure;
  /** The response's status where `failure` is `http_status`. */
  readonly status: number | undefined;
  /** What `Retry-After` asked for, in milliseconds from now. */
  readonly retryAfterMs: number | undefined;

  constructor(failure: SafeFetchFailure, message: string, options: SafeFetchErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'SafeFetchError';
    this.failure = failure;
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
  }

  get isRetryable(): boolean {
    switch (this.failure) {
      case 'timeout':
      case 'network':
      case 'aborted':
        return true;
      case 'http_status':
        return isRetryableStatus(this.status);
      case 'invalid_url':
      case 'blocked_address':
      case 'redirect':
      case 'too_large':
        return false;
      default:
        return this.failure satisfies never;
    }
  }
}

export function httpStatusError(status: number, retryAfter: string | undefined): SafeFetchError {
  const retryAfterMs = parseRetryAfterMs(retryAfter);
  return new SafeFetchError('http_status', `The server answered ${status}.`, {
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** Turns anything that undici, zlib or the resolver throw into a SafeFetchError. */
export function toSafeFetchError(err: unknown): SafeFetchError {
  for (let cause = err; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof SafeFetchError) return cause;
  }
  const code = err instanceof Error && 'code' in err ? String(err.code) : '';
  if (timeoutCodes.has(code)) return new SafeFetchError('timeout', 'The server took too long.', { cause: err });
  return new SafeFetchError('network', `The connection failed${code ? ` (${code})` : ''}.`, { cause: err });
}

const timeoutCodes = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

function isRetryableStatus(status: number | undefined): boolean {
  return status !== undefined && (status >= 500 || status === 408 || status === 425 || status === 429);
}

/** RFC 9110, section 10.2.3: whole seconds or an HTTP date. */
export function parseRetryAfterMs(value: string | undefined): number | undefined {
  const text = value?.trim();
  if (!text) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
