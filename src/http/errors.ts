import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import fp from 'fastify-plugin';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, errorTable, validationError, type ErrorCode } from '../lib/errors.ts';
import { newRequestId } from '../lib/ids.ts';
import { toPublicError, type PublicError } from '../trpc/init.ts';
import { formType } from './form-body.ts';
import type { SetHeaders } from './response-headers.ts';
import type { RateLimit } from './rate-limit/limiter.ts';

const jsonType = 'application/json';

/** Converts every error into the envelope. */
export const errors = fp(async function errors(app: FastifyInstance) {
  const explain = unroutedExplainer(app);
  app.setErrorHandler(sendError);
  // Before the body is read or validated: for an unknown address, the body does not matter.
  app.addHook('onRequest', (req, _reply, done) => {
    if (req.is404 && !wantsPage(req)) throw explain(req);
    if (req.raw.httpVersion === '1.1' && req.headers.host === undefined) {
      throw validationError('headers.Host', 'The Host header is required.');
    }
    done();
  });
  app.setNotFoundHandler(async (req, reply) => {
    if (wantsPage(req) && app.hasReplyDecorator('hasDashboard') && reply.hasDashboard())
      return reply.code(404).sendDashboard();
    throw explain(req);
  });
  // Node would answer these two itself, without envelope or request id.
  Object.assign(app.server, { requireHostHeader: false });
  app.server.on('checkExpectation', (req, res) => app.routing(req, res));
});

type KnownRoute = { methods: string[]; url: string; pattern: RegExp };

/** 405 if the address has routes for other methods, else 404. A literal address takes precedence over parameters. */
function unroutedExplainer(app: FastifyInstance): (req: FastifyRequest) => AppError {
  const routes: KnownRoute[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    routes.push({ methods: [method].flat(), url, pattern: patternOf(url) });
  });
  return (req) => {
    const path = req.url.split('?', 1)[0] ?? '';
    const literal = routes.filter(({ url }) => url === path);
    const found = literal.length > 0 ? literal : routes.filter(({ pattern }) => pattern.test(path));
    const methods = [...new Set(found.flatMap((route) => route.methods))].sort();
    // A route with this method declined the address for another reason, such as its length.
    if (methods.length === 0 || methods.includes(req.method)) return nothingHere();
    const list = methods.join(', ');
    return new AppError('METHOD_NOT_ALLOWED', `This address answers ${list}.`, { headers: { Allow: list } });
  };
}

function nothingHere(): AppError {
  return new AppError('NOT_FOUND', 'There is nothing at this address.');
}

/** A person opened the address in a browser: the dashboard shows its own not-found page. */
function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  return (
    method === 'GET' &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers.accept?.includes('text/html') === true &&
    !programAddresses.some((start) => url.startsWith(start))
  );
}

const programAddresses = ['/api/', '/assets/', '/oidc/', '/docs', '/mcp', '/.well-known/'];

type Unroutable = {
  req: FastifyRequest;
  reply: FastifyReply;
  limit: Pick<RateLimit, 'admit'> | null;
  setHeaders: SetHeaders;
};

/**
 * For requests that reach no route and no hook, such as one with invalid percent-encoding. They count for the rate
 * limit all the same.
 */
export async function answerUnroutable(
  error: FastifyError,
  { req, reply, limit, setHeaders }: Unroutable,
): Promise<void> {
  setHeaders(req, reply);
  try {
    await limit?.admit(req, reply);
    sendError(error, req, reply);
  } catch (refusal) {
    sendError(refusal, req, reply);
  }
}

export function sendError(thrown: unknown, req: FastifyRequest, reply: FastifyReply): void {
  const error = publicErrorOf(thrown, req.routeOptions?.bodyLimit, mediaTypeOf(req));
  const fields = { err: thrown, status: error.status };
  if (error.status >= 500) req.log.error(fields, 'request failed');
  else req.log.debug(fields, 'request refused');
  reply.header('X-Request-Id', req.id);
  if (error.headers) reply.headers(error.headers);
  reply
    .code(error.status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(errorBody(error)));
}

export function errorBody({ message, code, details }: PublicError) {
  return { error: { message, code, ...(details && { details }) } };
}

/** Answers requests that are not valid HTTP, if the socket still accepts an answer. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, message } = brokenRequests[error.code ?? ''] ?? invalidRequest;
  const body = JSON.stringify(errorBody(invalid(status, 'request', message)));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${newRequestId()}\r\nConnection: close\r\n\r\n${body}`,
  );
}

const invalidRequest = { status: 400, message: 'This is not a valid HTTP request.' };
const brokenRequests: Record<string, { status: number; message: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The request headers are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time.' },
};

/** What the route reads: JSON, unless forms are accepted where it is registered (form-body.ts). */
function mediaTypeOf({ server }: FastifyRequest): string {
  return server.hasContentTypeParser(formType) ? formType : jsonType;
}

/** `bodySizeBytesMax` and `mediaType`: of the route, to say which limit a body is over, and what to send. */
export function publicErrorOf(thrown: unknown, bodySizeBytesMax = 1024 * 1024, mediaType = jsonType): PublicError {
  if (isAbandonedBody(thrown)) {
    return invalid(400, 'body', 'The body broke off.');
  }
  if (!isFastifyError(thrown)) return toPublicError(thrown);
  if (thrown.code === 'FST_ERR_MAX_PARAM_LENGTH') return toPublicError(nothingHere());
  const code = codeOfStatus(thrown.statusCode ?? 500);
  if (code === 'INTERNAL_ERROR') return toPublicError(thrown);
  const { status } = errorTable[code];
  const { path = 'body', message = thrown.message } = explanationsFor(bodySizeBytesMax, mediaType)[thrown.code] ?? {};
  return code === 'VALIDATION_ERROR' ? invalid(status, path, message) : { status, code, message };
}

function invalid(status: number, path: string, message: string): PublicError {
  return { status, code: 'VALIDATION_ERROR', message, details: [{ path, message }] };
}

/** Errors of requests that reached no route. Without a path, they are about the body. */
const explanationsFor = (
  bodySizeBytesMax: number,
  mediaType: string,
): Record<string, { path?: string; message: string }> => ({
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { message: `Send the body as ${mediaType}.` },
  FST_ERR_CTP_INVALID_JSON_BODY: { message: 'The body is not valid JSON.' },
  FST_ERR_CTP_BODY_TOO_LARGE: { message: `The body is larger than ${sizeOf(bodySizeBytesMax)}.` },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    path: 'headers.Content-Length',
    message: 'The body is not as long as Content-Length says.',
  },
  FST_ERR_BAD_URL: { path: 'url', message: 'The address is not validly encoded.' },
});

function sizeOf(bytes: number): string {
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${kilobytes} KB` : `${kilobytes / 1024} MB`;
}

function codeOfStatus(status: number): ErrorCode {
  const codes = Object.keys(errorTable) as ErrorCode[];
  const exact = codes.find((code) => errorTable[code].status === status);
  if (exact) return exact;
  return status >= 400 && status < 500 ? 'VALIDATION_ERROR' : 'INTERNAL_ERROR';
}

/** The client disconnected. Node reports ECONNRESET, as for a database; Fastify adds the status. */
function isAbandonedBody(thrown: unknown): boolean {
  return (
    thrown instanceof Error &&
    'code' in thrown &&
    thrown.code === 'ECONNRESET' &&
    'statusCode' in thrown &&
    thrown.statusCode === 400
  );
}

function isFastifyError(thrown: unknown): thrown is FastifyError {
  return (
    thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' && thrown.code.startsWith('FST_')
  );
}

function patternOf(url: string): RegExp {
  const path = url
    .replace(/[.+?^$()|[\]\\]/g, '\\$&')
    .replace(/:\w+/g, '[^/]+')
    .replace(/\*/g, '.*');
  return new RegExp(`^${path}$`);
}
