import type { oas31 } from 'zod-openapi';
import { errorTable, type ErrorCode } from '../../lib/errors.ts';
import { staleMessage } from '../preconditions.ts';

type Failure = { code: ErrorCode; message: string; details?: { path: string; message: string }[] };
type SharedResponse = { description: string; headers?: oas31.HeadersObject; examples: Record<string, Failure> };

export type ErrorNeeds = {
  isPublic: boolean;
  isRepeatable: boolean;
  takesIfMatch: boolean;
  /** Whether a body is read as JSON, and refused where it is something else: also where none is expected. */
  readsJson: boolean;
  /** What a 404 speaks of; undefined where nothing is looked up. */
  entity: string | undefined;
  /** By status, the message that the operation answers with. Wins over what would stand there otherwise. */
  declared: Record<number, string>;
  declaredHeaders: Record<number, oas31.HeadersObject>;
  hasContent: boolean;
};

/** Not `Error`: that is a class of its own in many languages. */
export const errorSchemas: Record<string, oas31.SchemaObject> = {
  ErrorResponse: {
    type: 'object',
    description: 'What every refused or failed request is answered with.',
    required: ['error'],
    properties: { error: { $ref: '#/components/schemas/ApiError' } },
  },
  ApiError: {
    type: 'object',
    required: ['message', 'code'],
    properties: {
      message: { type: 'string', description: 'For people. The words may change; do not compare them.' },
      code: { type: 'string', enum: Object.keys(errorTable), description: 'For programs. One code a kind of error.' },
      details: {
        type: 'array',
        description: 'With `VALIDATION_ERROR`: every mistake, by its place in the request.',
        items: {
          type: 'object',
          required: ['path', 'message'],
          properties: { path: { type: 'string' }, message: { type: 'string' } },
        },
      },
    },
  },
};

export const sharedHeaders = {
  RequestId: {
    description: 'Identifies the request in the logs. A valid one that you send (1-128 of `A-Za-z0-9._-`) is kept.',
    schema: { type: 'string' },
    example: '0198f3a2-6c1e-7d54-9b0a-3f5d2c8e71b4',
  },
  Location: {
    description: 'Path of the resource that was made.',
    schema: { type: 'string' },
    example: '/api/v1/records/rec_01m7ysd48genfrajdng7gg18f4',
  },
  RetryAfter: {
    description: 'Seconds to wait before the next try.',
    schema: { type: 'integer', minimum: 0 },
    example: 5,
  },
  RetryAfterState: {
    description: 'Seconds to wait, where the conflict is with a state that passes by itself; otherwise absent.',
    required: false,
    schema: { type: 'integer', minimum: 1 },
    example: 5,
  },
  RateLimitLimit: {
    description: 'Requests that a client may send in any 60 seconds.',
    schema: { type: 'integer', minimum: 1 },
    example: 200,
  },
  RateLimitRemaining: {
    description: 'Requests that may follow immediately.',
    schema: { type: 'integer', minimum: 0 },
    example: 199,
  },
  RateLimitReset: {
    description: 'Seconds until the oldest counted request is a minute old and makes room for one more.',
    schema: { type: 'integer', minimum: 1 },
    example: 60,
  },
  ETag: {
    description:
      'Of these very bytes: send it as `If-None-Match` to learn whether they have changed, or as `If-Match` to change only this.',
    schema: { type: 'string' },
    example: '"pZGm1Av0IEBKARczz7exkNYsZb8"',
  },
  CacheControl: {
    description: 'May be kept by you, not by caches between, and is asked for again before it is used.',
    schema: { type: 'string' },
    example: 'private, no-cache',
  },
  IdempotentReplayed: {
    description: '`true` when this is the first answer again, by its `Idempotency-Key`; otherwise absent.',
    required: false,
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  Authenticate: { description: 'The expected kind of credential.', schema: { type: 'string' }, example: 'Bearer' },
} satisfies oas31.HeadersObject;

export function headerRef(name: keyof typeof sharedHeaders): oas31.ReferenceObject {
  return { $ref: `#/components/headers/${name}` };
}

/** On every response, whatever it is. */
export const everyResponse: oas31.HeadersObject = {
  'X-Request-Id': headerRef('RequestId'),
  'RateLimit-Limit': headerRef('RateLimitLimit'),
  'RateLimit-Remaining': headerRef('RateLimitRemaining'),
  'RateLimit-Reset': headerRef('RateLimitReset'),
};

/** On what can be read. */
export const cached: oas31.HeadersObject = { ETag: headerRef('ETag'), 'Cache-Control': headerRef('CacheControl') };

/** On what an `Idempotency-Key` may bring back. */
export const replayed: oas31.HeadersObject = { 'Idempotent-Replayed': headerRef('IdempotentReplayed') };

const shared: Record<string, SharedResponse> = {
  BadRequest: {
    description:
      'A parameter, the body or the `X-Selected-Org-ID` header is missing or not valid, or something was sent that the operation does not know. `details` names each mistake by its place.',
    examples: {
      invalid: {
        code: 'VALIDATION_ERROR',
        message: 'The request is not valid.',
        details: [{ path: 'pageSize', message: 'Must be at most 100.' }],
      },
      unknown: {
        code: 'VALIDATION_ERROR',
        message: 'The request is not valid.',
        details: [{ path: 'settings.redactPII', message: 'Unknown field `redactPII`. Did you mean `redactPii`?' }],
      },
      organization: {
        code: 'VALIDATION_ERROR',
        message: 'The X-Selected-Org-ID header is required.',
        details: [{ path: 'headers.X-Selected-Org-ID', message: 'The X-Selected-Org-ID header is required.' }],
      },
    },
  },
  Unauthorized: {
    description: 'The credential is missing, malformed, expired or revoked.',
    headers: { 'WWW-Authenticate': headerRef('Authenticate') },
    examples: {
      token: {
        code: 'UNAUTHORIZED',
        message: 'The access token is missing, invalid or has expired. Send it as `Authorization: Bearer …`.',
      },
    },
  },
  Forbidden: {
    description: 'The credential is valid, but its user is not a member of the organization or lacks the role.',
    examples: {
      role: { code: 'FORBIDDEN', message: 'Your role does not allow this action.' },
      organization: { code: 'FORBIDDEN', message: 'You are not a member of the selected organization.' },
    },
  },
  KeyConflict: {
    description: 'The `Idempotency-Key` was used for another request, or the first request with it is still under way.',
    headers: { 'Retry-After': headerRef('RetryAfterState') },
    examples: {
      other: { code: 'CONFLICT', message: 'This Idempotency-Key was used for another request.' },
      running: { code: 'CONFLICT', message: 'The first request with this Idempotency-Key is still under way.' },
    },
  },
  PreconditionFailed: {
    description: 'What the change is about is no longer as the `If-Match` header says. Nothing was changed.',
    examples: { stale: { code: 'PRECONDITION_FAILED', message: staleMessage } },
  },
  PayloadTooLarge: {
    description: 'The body is larger than 1 MB, or a transcript in it has more than 200,000 words.',
    examples: { body: { code: 'PAYLOAD_TOO_LARGE', message: 'The body is larger than 1 MB.' } },
  },
  UnsupportedMediaType: {
    description: 'The body is not JSON, or it is compressed.',
    examples: {
      body: { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'Send the body as application/json.' },
      compressed: {
        code: 'UNSUPPORTED_MEDIA_TYPE',
        message: 'Send the body uncompressed, without Content-Encoding.',
      },
    },
  },
  TooManyRequests: {
    description:
      'More than 200 requests within 60 seconds. There is room for one more after as long as `Retry-After` says.',
    headers: { 'Retry-After': headerRef('RetryAfter') },
    examples: { limit: { code: 'RATE_LIMITED', message: 'Too many requests. Try again later.' } },
  },
  InternalError: {
    description: 'An error on our side. The request id identifies it in the logs.',
    examples: {
      fault: {
        code: 'INTERNAL_ERROR',
        message: 'Something went wrong on our side. Quote the request id when you report it.',
      },
    },
  },
  ServiceUnavailable: {
    description: 'The database or the storage is unavailable or full at the moment.',
    headers: { 'Retry-After': headerRef('RetryAfter') },
    examples: {
      database: { code: 'SERVICE_UNAVAILABLE', message: 'The database cannot be reached. Try again shortly.' },
    },
  },
};

export const sharedResponses: oas31.ResponsesObject = {
  NotModified: { description: 'Your copy is still good.', headers: { ...everyResponse, ...cached } },
  ...Object.fromEntries(
    Object.entries(shared).map(([name, { description, headers, examples }]) => [
      name,
      { description, headers: { ...everyResponse, ...headers }, content: errorContent(examples) },
    ]),
  ),
};

/** The error responses of one operation: those that every request can meet, and those that it declares. */
export function errorResponsesOf(needs: ErrorNeeds): oas31.ResponsesObject {
  const { isPublic, isRepeatable, takesIfMatch, readsJson, entity, declared, declaredHeaders, hasContent } = needs;
  const named: [number, string, boolean][] = [
    [400, 'BadRequest', true],
    [401, 'Unauthorized', !isPublic],
    [403, 'Forbidden', !isPublic],
    [409, 'KeyConflict', isRepeatable],
    [412, 'PreconditionFailed', takesIfMatch],
    [413, 'PayloadTooLarge', readsJson],
    [415, 'UnsupportedMediaType', readsJson],
    [429, 'TooManyRequests', true],
    [500, 'InternalError', true],
    [503, 'ServiceUnavailable', !isPublic],
  ];
  const responses: oas31.ResponsesObject = {};
  for (const [status, name, applies] of named) {
    if (!applies) continue;
    const { description, headers } = shared[name] ?? {};
    responses[status] = hasContent
      ? { $ref: `#/components/responses/${name}` }
      : { description, headers: { ...everyResponse, ...headers } };
  }
  const own = { ...(entity !== undefined && { 404: `${entity} not found.` }), ...declared };
  for (const [status, message] of Object.entries(own)) {
    const content = errorContent({ refused: { code: codeOf(Number(status)), message } });
    const passing = status === '409' && { 'Retry-After': headerRef('RetryAfterState') };
    const headers = { ...everyResponse, ...passing, ...declaredHeaders[Number(status)] };
    responses[status] = { description: message, headers, ...(hasContent && { content }) };
  }
  return responses;
}

function codeOf(status: number): ErrorCode {
  const code = (Object.keys(errorTable) as ErrorCode[]).find((key) => errorTable[key].status === status);
  if (!code) throw new Error(`There is no error code for status ${status}.`);
  return code;
}

function errorContent(failures: Record<string, Failure>): oas31.ContentObject {
  const examples = Object.fromEntries(
    Object.entries(failures).map(([name, { message, code, details }]) => [
      name,
      { summary: message, value: { error: { message, code, ...(details && { details }) } } },
    ]),
  );
  return { 'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' }, examples } };
}
