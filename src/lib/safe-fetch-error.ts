import { parseRetryAfterMs } from './retry-after.ts';

export type SafeFetchFailure =
  | 'invalid_url'
  | 'blocked_address'
  | 'redirect'
  | 'http_status'
  | 'too_large'
  | 'timeout'
  | 'network'
  | 'aborted';

type SafeFetchErrorOptions = {
  cause?: unknown;
  status?: number;
  retryAfterMs?: number;
  isAnswered?: boolean;
  isByName?: boolean;
};

const unreachable =
  'No answer came from the address. It may be slow, refuse connections or not exist. It has to be public, or allowed by ' +
  'the administrator of this service (OUTBOUND_ALLOW), whose log holds the reason.';

/** Why an outbound request failed, and whether it is worth another attempt. The message is for the log. */
export class SafeFetchError extends Error {
  readonly failure: SafeFetchFailure;
  /** The response's status if `failure` is `http_status`. */
  readonly status: number | undefined;
  /** The wait that `Retry-After` asked for, in milliseconds from now, an hour at most. */
  readonly retryAfterMs: number | undefined;
  /** Whether a permitted host answered. */
  readonly isAnswered: boolean;
  /** Whether the address was resolved from a name, which may resolve differently in a moment. */
  readonly isByName: boolean;

  constructor(failure: SafeFetchFailure, message: string, options: SafeFetchErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'SafeFetchError';
    this.failure = failure;
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
    this.isAnswered = options.isAnswered ?? false;
    this.isByName = options.isByName ?? false;
  }

  /** Nobody answered, or only a host that the service may not talk to: users cannot tell the two apart. */
  get isUnreachable(): boolean {
    if (this.failure === 'blocked_address') return true;
    return !this.isAnswered && (this.failure === 'network' || this.failure === 'timeout');
  }

  /** For the user who chose the address. Reveals no name, address or port of the internal network. */
  get publicMessage(): string {
    return this.isUnreachable ? unreachable : this.message;
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

/** Converts any error of undici, zlib or the resolver into a SafeFetchError. */
export function toSafeFetchError(err: unknown): SafeFetchError {
  for (let cause = err; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof SafeFetchError) return cause;
  }
  const code = err instanceof Error && 'code' in err ? String(err.code) : '';
  if (certificateFaults.has(code)) {
    return new SafeFetchError('network', 'The certificate of the server is not valid.', {
      cause: err,
      isAnswered: true,
    });
  }
  if (timeoutCodes.has(code)) return new SafeFetchError('timeout', 'The server took too long.', { cause: err });
  return new SafeFetchError('network', `The connection failed${code ? ` (${code})` : ''}.`, { cause: err });
}

/** For a request that got an answer: what went wrong afterwards, in words that any user may read. */
export function afterAnswer({ failure, message, cause, status }: SafeFetchError): SafeFetchError {
  const words = failure === 'network' ? 'The connection broke off.' : message;
  return new SafeFetchError(failure, words, { cause, isAnswered: true, ...(status !== undefined && { status }) });
}

const certificateFaults = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

const timeoutCodes = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

function isRetryableStatus(status: number | undefined): boolean {
  return status !== undefined && (status >= 500 || status === 408 || status === 425 || status === 429);
}
