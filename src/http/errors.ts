import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import fp from 'fastify-plugin';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, errorTable, type ErrorCode } from '../lib/errors.ts';
import { newRequestId } from '../lib/ids.ts';
import { toPublicError, type PublicError } from '../trpc/init.ts';

type KnownRoute = { method: string; pattern: RegExp };

/** Turns whatever went wrong into the envelope. */
export const errors = fp(async function errors(app: FastifyInstance) {
  const routes: KnownRoute[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) routes.push({ method: name, pattern: patternOf(url) });
  });
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((req) => {
    const path = req.url.split('?', 1)[0] ?? '';
    const allowed = new Set(routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method));
    if (allowed.size === 0) throw new AppError('NOT_FOUND', 'There is nothing at this address.');
    const methods = [...allowed].sort().join(', ');
    throw new AppError('METHOD_NOT_ALLOWED', `This address answers ${methods}.`, { headers: { Allow: methods } });
  });
});

/** Also Fastify's `frameworkErrors`, for requests that reach no route, such as a broken percent-encoding. */
export function sendError(thrown: unknown, req: FastifyRequest, reply: FastifyReply): void {
  const error = publicErrorOf(thrown);
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

/** Answers what is not even HTTP, as far as the socket still takes an answer. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const status = isTooLarge ? 431 : 400;
  const message = isTooLarge ? 'The request headers are too large.' : 'This is not a valid HTTP request.';
  const body = JSON.stringify(errorBody({ status, code: 'VALIDATION_ERROR', message }));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${newRequestId()}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function publicErrorOf(thrown: unknown): PublicError {
  if (!isFastifyError(thrown)) return toPublicError(thrown);
  const code = codeOfStatus(thrown.statusCode ?? 500);
  if (code === 'INTERNAL_ERROR') return toPublicError(thrown);
  return { status: errorTable[code].status, code, message: messages[thrown.code] ?? thrown.message };
}

const messages: Record<string, string> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'Send the body as application/json.',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not valid JSON.',
  FST_ERR_CTP_BODY_TOO_LARGE: 'The body is larger than 1 MB.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The body is not as long as Content-Length says.',
  FST_ERR_BAD_URL: 'The address is not validly encoded.',
};

function codeOfStatus(status: number): ErrorCode {
  const codes = Object.keys(errorTable) as ErrorCode[];
  const exact = codes.find((code) => errorTable[code].status === status);
  if (exact) return exact;
  return status >= 400 && status < 500 ? 'VALIDATION_ERROR' : 'INTERNAL_ERROR';
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
