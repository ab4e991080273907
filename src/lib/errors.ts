/**
 * One table for REST and tRPC: the public code, its HTTP status and the tRPC code that carries it. Anything else than
 * an AppError is INTERNAL_ERROR.
 */
export const errorTable = {
  VALIDATION_ERROR: { status: 400, trpc: 'BAD_REQUEST' },
  UNAUTHORIZED: { status: 401, trpc: 'UNAUTHORIZED' },
  BUDGET_EXCEEDED: { status: 402, trpc: 'PAYMENT_REQUIRED' },
  FORBIDDEN: { status: 403, trpc: 'FORBIDDEN' },
  NOT_FOUND: { status: 404, trpc: 'NOT_FOUND' },
  METHOD_NOT_ALLOWED: { status: 405, trpc: 'METHOD_NOT_SUPPORTED' },
  CONFLICT: { status: 409, trpc: 'CONFLICT' },
  PRECONDITION_FAILED: { status: 412, trpc: 'PRECONDITION_FAILED' },
  PAYLOAD_TOO_LARGE: { status: 413, trpc: 'PAYLOAD_TOO_LARGE' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, trpc: 'UNSUPPORTED_MEDIA_TYPE' },
  RANGE_NOT_SATISFIABLE: { status: 416, trpc: 'BAD_REQUEST' },
  UNPROCESSABLE: { status: 422, trpc: 'UNPROCESSABLE_CONTENT' },
  RATE_LIMITED: { status: 429, trpc: 'TOO_MANY_REQUESTS' },
  INTERNAL_ERROR: { status: 500, trpc: 'INTERNAL_SERVER_ERROR' },
  UPSTREAM_UNAVAILABLE: { status: 502, trpc: 'BAD_GATEWAY' },
  SERVICE_UNAVAILABLE: { status: 503, trpc: 'SERVICE_UNAVAILABLE' },
} as const;

export type ErrorCode = keyof typeof errorTable;
export type ErrorDetail = { path: string; message: string };

type AppErrorOptions = {
  details?: ErrorDetail[];
  /** Goes to the log only, never to a client. */
  internal?: string;
  cause?: unknown;
  headers?: Record<string, string>;
};

/** An error that a client may read: `message` is public, `internal` is for the log. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetail[] | undefined;
  readonly internal: string | undefined;
  readonly headers: Record<string, string> | undefined;

  /** Validation errors, by path. */
  constructor(code: ErrorCode, message: string, options: AppErrorOptions & { details: ErrorDetail[] });
  constructor(code: Exclude<ErrorCode, 'VALIDATION_ERROR'>, message: string, options?: AppErrorOptions);
  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = options.details;
    this.internal = options.internal;
    this.headers = options.headers;
  }

  get status(): number {
    return errorTable[this.code].status;
  }
}

type ErrorParts = { code: ErrorCode; message: string; details?: ErrorDetail[] | undefined };

/** Rebuilds an error that was serialized for another thread or another shape of answer. */
export function appErrorOf({ code, message, details }: ErrorParts): AppError {
  if (details || code === 'VALIDATION_ERROR') return new AppError(code, message, { details: details ?? [] });
  return new AppError(code, message);
}

export function notFound(entity: string): AppError {
  return new AppError('NOT_FOUND', `${entity} not found.`);
}

/**
 * A conflict with a temporary state: it says when to try again, and a retry with the same `Idempotency-Key` runs the
 * request anew.
 */
export function notNow(message: string, retryAfterSeconds = 5): AppError {
  return new AppError('CONFLICT', message, { headers: { 'Retry-After': String(retryAfterSeconds) } });
}

export function validationError(path: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', message, { details: [{ path, message }] });
}

export function unprocessable(path: string, message: string, cause?: unknown): AppError {
  return new AppError('UNPROCESSABLE', message, { details: [{ path, message }], cause });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
