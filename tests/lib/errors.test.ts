import { describe, expect, it } from 'vitest';
import { AppError, errorTable, notFound, validationError, type ErrorCode } from '../../src/lib/errors.ts';
import { toPublicError, toTrpcError } from '../../src/trpc/init.ts';

/** The table of the contract, section 1. */
const contract: Record<ErrorCode, number> = {
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  BUDGET_EXCEEDED: 402,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RANGE_NOT_SATISFIABLE: 416,
  UNPROCESSABLE: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  UPSTREAM_UNAVAILABLE: 502,
  SERVICE_UNAVAILABLE: 503,
};
const codes = Object.keys(errorTable) as ErrorCode[];

describe('the table of errors', () => {
  it('is the one of the contract', () => {
    const statuses = codes.map((code) => [code, errorTable[code].status]);
    expect(Object.fromEntries(statuses)).toEqual(contract);
  });

  it.each(codes)('carries %s through RPC as it is over REST', (code) => {
    const error = new AppError(code, 'Why.', { details: [{ path: 'a', message: 'b' }], headers: { 'X-A': 'b' } });
    const viaRpc = toPublicError(toTrpcError(error));
    expect(viaRpc).toEqual(toPublicError(error));
    expect(viaRpc).toMatchObject({ code, status: contract[code], message: 'Why.', headers: { 'X-A': 'b' } });
  });
});

describe('an error that nobody expected', () => {
  it.each([
    new Error('secret'),
    new TypeError('secret'),
    Object.assign(new Error('secret'), { statusCode: 404, status: 404, code: 'NOT_FOUND' }),
    'secret',
    null,
    undefined,
    { message: 'secret', code: 'FORBIDDEN' },
  ])('is internal and says nothing: %j', (thrown) => {
    const error = toPublicError(thrown);
    expect(error).toMatchObject({ status: 500, code: 'INTERNAL_ERROR' });
    expect(JSON.stringify(error)).not.toContain('secret');
  });

  it('is told from a database that is down', () => {
    for (const code of ['ECONNREFUSED', 'CONNECTION_CLOSED', 'CONNECT_TIMEOUT', '57P01', '57P03', '53300', '08006']) {
      const error = new Error('Failed query', { cause: Object.assign(new Error('x'), { code }) });
      expect(toPublicError(error)).toMatchObject({
        status: 503,
        code: 'SERVICE_UNAVAILABLE',
        headers: { 'Retry-After': '5' },
      });
    }
    const refused = new Error('Failed query', { cause: Object.assign(new Error('x'), { code: '23505' }) });
    expect(toPublicError(refused).status).toBe(500);
  });
});

describe('an error of ours', () => {
  it('keeps what is for the log from the client', () => {
    const error = new AppError('FORBIDDEN', 'No.', { internal: 'secret', cause: new Error('secret') });
    expect(JSON.stringify(toPublicError(error))).not.toContain('secret');
  });

  it('names entity or place in the short forms', () => {
    expect(notFound('Record')).toMatchObject({ code: 'NOT_FOUND', message: 'Record not found.' });
    expect(validationError('a.b', 'Wrong.')).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'a.b', message: 'Wrong.' }],
    });
  });
});
